#!/bin/sh
# The tests of LaTeX tables compile them, with pdfLaTeX and, for other scripts than Latin, LuaLaTeX with the DejaVu fonts.
# Install what is missing where apt-get may be used; elsewhere say what is missing, and let the tests say so, too.
packages="texlive-latex-recommended texlive-latex-extra texlive-luatex fonts-dejavu-core"
command -v pdflatex >/dev/null && command -v lualatex >/dev/null && kpsewhich booktabs.sty xltabular.sty fontspec.sty >/dev/null &&
    [ -e /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf ] && exit 0
as_root=""
[ "$(id -u)" = 0 ] || as_root="sudo -n"  # never asks for a password
if command -v apt-get >/dev/null && $as_root true 2>/dev/null; then
    echo "Installing $packages for the tests of LaTeX ..."
    $as_root apt-get update -qq &&
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages >/dev/null && exit 0
fi
echo "The tests of LaTeX need $packages. On Debian: apt-get install $packages" >&2
