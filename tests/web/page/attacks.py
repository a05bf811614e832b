"""Texts that would be elements, and what is counted to see that they are not."""

from __future__ import annotations

ATTACKS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "\"'><iframe srcdoc='<script>alert(1)</script>'>",
    "</textarea></p><a href=javascript:alert(1) id=injected>x</a>",
    "{{ 7*7 }} {% print(1) %} ${alert(1)}",
    "&lt;b&gt; &#x3C;b&#x3E; <!-- --><math><mtext></mtext></math>",
    "' onfocus=alert(1) autofocus tabindex=1 x='",
]
COUNTS = """() => Object.fromEntries(["script", "img", "iframe", "a", "form", "[onerror], [onload], [onfocus]"]
    .map((name) => [name, document.querySelectorAll(name).length]))"""
