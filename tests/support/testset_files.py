"""Files of test sets, packed as they are fetched, and sets put among those of sacreBLEU."""

import hashlib
import io
import tarfile

from sacrebleu.dataset import DATASETS
from sacrebleu.dataset.fake_sgml import FakeSGMLDataset
from sacrebleu.dataset.plain_text import PlainTextDataset
from sacrebleu.dataset.tsv import TSVDataset
from sacrebleu.dataset.wmt_xml import WMTXMLDataset

XML = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="wmttest">
<doc origlang="en" id="d1" domain="news">
<src lang="en"><p><seg id="1">One  &amp; two </seg><seg id="2">Three</seg></p></src>
<ref lang="de" translator="A"><p><seg id="1">Eins &amp;   zwei</seg><seg id="2">Drei</seg></p></ref>
<ref lang="de" translator="B"><p><seg id="1">Ein und zwei</seg><seg id="2">Drei!</seg></p></ref>
<hyp system="X" language="de"><p><seg id="1">Eins und zwei</seg><seg id="2">Drei</seg></p></hyp>
</doc>
<doc origlang="de" id="d2" domain="social">
<src lang="en"><p><seg id="1">Four</seg></p></src>
<ref lang="de" translator="A"><p><seg id="1">Vier Leute</seg></p></ref>
<ref lang="de" translator="B"><p><seg id="1">Vier</seg></p></ref>
<hyp system="X" language="de"><p><seg id="1">Vier</seg></p></hyp>
</doc>
</dataset>
"""


def sgml(kind, texts):
    segments = "\n".join(f'<seg id="{place}">{text}</seg>' for place, text in enumerate(texts, start=1))
    return f'<{kind} setid="s">\n<doc docid="d1" genre="news" origlang="cs">\n{segments}\n</doc>\n</{kind}>\n'


FILES = {
    "set/all.xml": XML,
    "set/src.sgm": sgml("srcset", ["One &amp; two", "Three  "]),
    "set/ref.sgm": sgml("refset", [" Eins &amp;  zwei", "Drei"]),
    "set/other.sgm": sgml("refset", ["Ein und zwei", "3"]),
    "set/src.txt": "One & two  \nThree\n",
    "set/ref.txt": "Eins\u00a0und zwei\nDrei \n",
    "set/both.tsv": "1\tOne\tEins \n2\tTwo\tZwei\n",
}
SETS = {
    "xml": (WMTXMLDataset, {"en-de": ["set/all.xml"]}, {"refs": ["A"]}),
    "xml/two": (WMTXMLDataset, {"en-de": {"path": "set/all.xml", "refs": ["B", "A"]}}, {"refs": ["A"]}),
    "sgml": (FakeSGMLDataset, {"en-de": ["set/src.sgm", "set/ref.sgm"]}, {}),
    "sgml/two": (FakeSGMLDataset, {"en-de": ["set/src.sgm", "set/ref.sgm", "set/other.sgm"]}, {}),
    "plain": (PlainTextDataset, {"en-de": ["set/src.txt", "set/ref.txt"]}, {}),
    "tsv": (TSVDataset, {"en-de": ["1:set/both.tsv", "2:set/both.tsv"]}, {}),
}


def pack(files):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
    return packed.getvalue()


def add_to_sacrebleu(monkeypatch, server, name, content=None):
    """Put a set of sacreBLEU's own kind among its sets, with an address on loopback."""
    kind, pairs, more = SETS[name]
    content = pack(FILES) if content is None else content
    url = server.url("set.tgz", content)
    digits = hashlib.md5(content).hexdigest()
    dataset = kind(name, data=[url], md5=[digits], description="a set", langpairs=pairs, **more)
    monkeypatch.setitem(DATASETS, name, dataset)
    return dataset
