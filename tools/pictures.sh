#!/bin/sh
# make pictures: draws the pictures of the README from examples/: a plan, and a redline as LibreOffice shows it.
set -eu
quire=$(realpath "$1")
top=$(dirname "$(dirname "$(realpath "$0")")")
work=$(mktemp -d "${TMPDIR:-/tmp}/quire-pictures.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$top/docs/pictures"
cp "$top/examples/house.floorplan" "$top/examples/contract.docx" "$work"
cd "$work"
call() { "$quire" call --root "$work" --state "$work/state" "$@" >/dev/null; }
call floorplan render_floorplan --file-path house.floorplan --renderAllFloors --width 1200 --output plan.png
edit() { call docx smart_edit --file-path contract.docx --target-paragraph-id "$1" --old-string "$2" --new-string "$3"; }
edit 'Section 3.1' 'thirty (30)' 'forty-five (45)'
edit 'Section 2.1' 'the skill and care of' 'the skill, care and speed of'
edit 'Section 4.2' ', the Yard may stop' ' within that time, the Yard may, after a reminder, stop'
call docx delete_paragraph --file-path contract.docx --target-paragraph-id 'Section 6.2'
call docx save --file-path contract.docx --save-format tracked --save-to-local-path redline.docx --tracked-changes-author 'An agent'
soffice --headless -env:UserInstallation="file://$work/office" --convert-to pdf redline.docx >/dev/null 2>&1
pdftoppm -png -r 90 -f 1 -l 1 -x 60 -y 400 -W 640 -H 400 -singlefile redline.pdf redline
mv plan.png redline.png "$top/docs/pictures"
