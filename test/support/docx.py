"""docx.py: makes small Word files for test scripts, and reads their contents."""
import io
import zipfile

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
W14 = "http://schemas.microsoft.com/office/word/2010/wordml"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/"
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
SECTION = "<w:sectPr/>"


def docx(body, styles="", numbering="", parts=None):
    """The bytes of a file whose body contains this XML; `parts` are further entries by name."""
    spaces = f'xmlns:w="{W}" xmlns:w14="{W14}" xmlns:r="{R}"'
    kinds = "".join(f'<Override PartName="/word/{n}.xml" ContentType="application/vnd.openxmlformats-officedocument.'
                    f'wordprocessingml.{t}+xml"/>' for n, t in (("document", "document.main"), ("styles", "styles"),
                                                                ("numbering", "numbering")))
    entries = {
        "[Content_Types].xml": f'{HEAD}<Types xmlns="{PACKAGE}content-types"><Default Extension="rels" ContentType='
                               f'"application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" '
                               f'ContentType="application/xml"/>{kinds}</Types>',
        "_rels/.rels": f'{HEAD}<Relationships xmlns="{PACKAGE}relationships"><Relationship Id="rId1" '
                       f'Type="{R}/officeDocument" Target="word/document.xml"/></Relationships>',
        "word/document.xml": f"{HEAD}<w:document {spaces}><w:body>{body}{SECTION}</w:body></w:document>",
        "word/_rels/document.xml.rels": f'{HEAD}<Relationships xmlns="{PACKAGE}relationships"><Relationship Id="rId1" '
                                        f'Type="{R}/styles" Target="styles.xml"/><Relationship Id="rId2" '
                                        f'Type="{R}/numbering" Target="numbering.xml"/></Relationships>',
        "word/styles.xml": f"{HEAD}<w:styles {spaces}>{styles}</w:styles>",
        "word/numbering.xml": f"{HEAD}<w:numbering {spaces}>{numbering}</w:numbering>",
        **(parts or {}),
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
        for name, content in entries.items():
            z.writestr(zipfile.ZipInfo(name, (2026, 1, 2, 3, 4, 6)), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def part(data, name="word/document.xml"):
    with zipfile.ZipFile(io.BytesIO(data)) as z:
        return z.read(name).decode()


def body(data):
    """The XML between the body's tags, without its last section."""
    xml = part(data)
    inside = xml[xml.index("<w:body>") + 8:xml.index("</w:body>")]
    return inside[:-len(SECTION)] if inside.endswith(SECTION) else inside
