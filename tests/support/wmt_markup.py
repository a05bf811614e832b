"""WMT's XML, written for tests that read it."""

from xml.sax.saxutils import escape, quoteattr


def as_xml(documents, collection=False):
    """Write WMT's XML: documents as {id: {(tag, name): {segment: text}}}."""
    attributes = {"ref": "translator", "hyp": "system", "src": "x"}
    parts = ["<?xml version='1.0' encoding='utf-8'?>", '<dataset id="t">', '<collection id="c">' * collection]
    for document, versions in documents.items():
        parts.append(f'<doc origlang="en" id={quoteattr(document)}>')
        for (tag, name), segments in versions.items():
            named = f" {attributes[tag]}={quoteattr(name)}" if name else ""
            texts = "\n".join(
                f'<p>\n<seg id="{number}">{escape(text)}</seg>\n</p>' for number, text in segments.items()
            )
            parts.append(f'<{tag} lang="de"{named}>\n{texts}\n</{tag}>')
        parts.append("</doc>")
    return "\n".join([*parts, "</collection>" * collection, "</dataset>"])
