"""``python3 generate.py`` writes two files of src/malipo: schema.py from openapi/v2.json, and async_resources.py from
resources.py. A test fails when one is not current.
"""

from __future__ import annotations

import json
import re
import textwrap
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Optional

from schema_names import ANSWERS, ENUMS, NAMES, OWN_IDS, RECORDS, TEXTS, TIMES

HERE = Path(__file__).parent
DOCUMENT = HERE / "../../openapi/v2.json"
PACKAGE = HERE / "src/malipo"

Json = Dict[str, Any]

AMOUNT = "^([0]|([1-9]"

HEADER = '''"""Types of the API, generated from openapi/v2.json by generate.py. Do not edit."""

from __future__ import annotations

import dataclasses
from datetime import datetime
from typing import Literal, Mapping, Optional, Sequence

from ._struct import Amount, Metadata, Record, Struct, Time, new_id
'''


class Field(NamedTuple):
    name: str
    hint: str
    default: Optional[str]
    description: str


class Schema:
    """Collects classes and enumerations, each shape once."""

    def __init__(self) -> None:
        self.enums: Dict[str, List[str]] = {}
        self.classes: Dict[str, str] = {}
        self._by_shape: Dict[str, str] = {}

    def add(self, name: str, schema: Json, is_request: bool) -> str:
        shape = json.dumps([bare(schema), is_request and has_own_rules(name, schema)], sort_keys=True)
        known = self._by_shape.get(shape)
        if known is not None:
            return known
        self._by_shape[shape] = name
        if name in self.classes:
            raise SystemExit(f"two shapes are named {name}: give one of them another name in NAMES")
        self.classes[name] = ""
        fields = [self._field(name, key, schema, is_request) for key in schema["properties"]]
        # Fields with a default come last.
        fields.sort(key=lambda field: field.default is not None)
        text = render_class(name, str(schema.get("description", "")), fields)
        # Classes that it uses were added meanwhile, and stand before it.
        del self.classes[name]
        self.classes[name] = text
        return name

    def _field(self, owner: str, key: str, parent: Json, is_request: bool) -> Field:
        schema = parent["properties"][key]
        hint = self._hint(owner, key, schema, is_request)
        wire = wire_of(key)
        default = None
        if is_request and OWN_IDS.get(owner) == key:
            default = "dataclasses.field(default_factory=new_id)"
        elif schema.get("enum") == ["MMO"]:
            default = '"MMO"'
        elif key not in parent.get("required", []):
            hint = f"Optional[{hint}]"
            default = "None" if wire is None else f'dataclasses.field(default=None, metadata={{"wire": "{wire}"}})'
        elif wire is not None:
            raise SystemExit(f"{owner}.{key} needs a name of its own and a value: not supported yet")
        return Field(snake(key), hint, default, TEXTS.get(key, str(schema.get("description", ""))))

    def _hint(self, owner: str, key: str, schema: Json, is_request: bool) -> str:
        if "enum" in schema:
            return self._enum(owner, key, schema["enum"])
        if schema["type"] == "array":
            if key == "metadata":
                return "Metadata"
            return f"Sequence[{self._hint(owner, key, schema['items'], is_request)}]"
        if schema["type"] == "object":
            if schema.get("additionalProperties") and not schema.get("properties"):
                return "Mapping[str, str]"
            return self.add(NAMES.get(f"{owner}.{key}", owner + capital(key)), schema, is_request)
        if schema["type"] == "string":
            return "Time" if f"{owner}.{key}" in TIMES else text_hint(schema, is_request)
        return {"integer": "int", "boolean": "bool"}[schema["type"]]

    def _enum(self, owner: str, key: str, values: List[str]) -> str:
        known = next((name for name, held in self.enums.items() if held == values), None)
        if known is not None:
            return known
        name = ENUMS.get(f"{owner}.{key}", owner + "Status" if key == "status" else capital(key))
        if values == ["MMO"]:
            name = "AccountType"
        self.enums[name] = values
        return name


def text_hint(schema: Json, is_request: bool) -> str:
    if schema.get("format") == "date-time":
        return "Time" if is_request else "datetime"
    return "Amount" if is_request and str(schema.get("pattern", "")).startswith(AMOUNT) else "str"


def has_own_rules(name: str, schema: Json) -> bool:
    """Whether the class of a request differs from the class of an equal object in an answer."""
    own = (text_hint(one, True) != "str" for one in schema["properties"].values() if one.get("type") == "string")
    return name in OWN_IDS or any(own)


def bare(schema: Any) -> Any:
    """The shape alone, without texts for people."""
    if isinstance(schema, dict):
        texts = ("description", "examples", "title")
        return {key: bare(one) for key, one in schema.items() if key not in texts or isinstance(one, dict)}
    return [bare(one) for one in schema] if isinstance(schema, list) else schema


def render_class(name: str, description: str, fields: List[Field]) -> str:
    base = "Record" if name in RECORDS else "Struct"
    lines = ["@dataclasses.dataclass(frozen=True, repr=False, eq=False)", f"class {name}({base}):"]
    lines += [*wrapped('    """', description, '"""'), ""] if description else []
    lines += [f"    {line}" for line in RECORDS.get(name, [])] + ([""] if RECORDS.get(name) else [])
    for field in fields:
        lines += wrapped("    #: ", field.description)
        default = "" if field.default is None else f" = {field.default}"
        lines.append(f"    {field.name}: {field.hint}{default}")
    return "\n".join(lines)


def render_enum(name: str, values: List[str]) -> str:
    return f"{name} = Literal[\n" + "".join(f'    "{one}",\n' for one in values) + "]"


def wrapped(start: str, text: str, end: str = "") -> List[str]:
    if not text:
        return []
    continued = start if start.strip() == "#:" else "    "
    return textwrap.wrap(text + end, 119, initial_indent=start, subsequent_indent=continued, break_long_words=False)


def snake(key: str) -> str:
    return key.lower() if key.isupper() else re.sub(r"(?<!^)([A-Z])", r"_\1", key).lower()


def wire_of(key: str) -> Optional[str]:
    """The API's spelling, where it does not follow from Python's."""
    first, *others = snake(key).split("_")
    return None if first + "".join(word.capitalize() for word in others) == key else key


def capital(key: str) -> str:
    return key[:1].upper() + key[1:]


def operations(document: Json) -> Iterator[Json]:
    for path in document["paths"].values():
        yield from (one for one in path.values() if isinstance(one, dict) and "operationId" in one)


def content(holder: Json) -> Json:
    schema: Json = holder["content"]["application/json"]["schema"]
    return schema


def inside(schema: Json, steps: List[str]) -> Json:
    for step in steps:
        schema = schema[step]
    return schema


def collect(document: Json) -> Schema:
    schema = Schema()
    for operation in operations(document):
        if "requestBody" in operation:
            body = content(operation["requestBody"])
            if "properties" in body and body["title"] != "PredictionRequest":
                schema.add(body["title"], body, True)
        answer = content(operation["responses"]["200"])
        record = answer.get("properties", {}).get("data")
        if record is not None:
            record = record.get("items", record)
            schema.add(record["title"], record, False)
        if operation["operationId"] in ANSWERS:
            steps, name = ANSWERS[operation["operationId"]]
            schema.add(name, inside(answer, steps), False)
        for parameter in operation.get("parameters", []):
            values = parameter["schema"].get("enum")
            # The statuses that a list can be narrowed by are those of its records.
            if values is not None and values not in schema.enums.values():
                schema.enums[capital(parameter["name"])] = values
    return schema


def failure_codes(document: Json) -> List[str]:
    lists = re.findall(r"Known codes: ([A-Z_0-9, ]+)\.", json.dumps(document))
    return sorted({code for one in lists for code in one.split(", ")})


def render(document: Json) -> str:
    schema = collect(document)
    enums = [render_enum(name, values) for name, values in schema.enums.items()]
    codes = ["class FailureCode:", '    """Known failure codes. Be ready for codes that are added later."""', ""]
    codes += [f'    {code} = "{code}"' for code in failure_codes(document)]
    names = [*schema.enums, *schema.classes, "FailureCode"]
    exported = "__all__ = [\n" + "".join(f'    "{name}",\n' for name in sorted(names)) + "]"
    parts = [exported + "\n\n" + "\n\n".join(enums), *schema.classes.values(), "\n".join(codes)]
    return HEADER + "\n" + "\n\n\n".join(parts) + "\n"


def render_async(resources: str) -> str:
    """The resources with asynchronous calls."""
    text = re.sub(r'^""".*"""', '"""Generated from resources.py by generate.py. Do not edit."""', resources)
    text = re.sub(r"\bRunner\b", "AsyncRunner", text)
    text = re.sub(r"^    def (?!__init__)", "    async def ", text, flags=re.M)
    text = text.replace("self._runner.run(", "await self._runner.run(")
    text = re.sub(r"\bIterator\b", "AsyncIterator", text)
    for name in re.findall(r"^class (\w+)", resources, flags=re.M):
        text = re.sub(rf"^class {name}\b|\({name}(?=\[[A-Z])", lambda found: insert_async(found[0]), text, flags=re.M)
    return text


def insert_async(text: str) -> str:
    return text.replace("class ", "class Async") if text.startswith("class ") else text.replace("(", "(Async")


def render_all() -> Dict[str, str]:
    resources = (PACKAGE / "resources.py").read_text()
    return {"schema.py": render(json.loads(DOCUMENT.read_text())), "async_resources.py": render_async(resources)}


if __name__ == "__main__":
    for name, text in render_all().items():
        (PACKAGE / name).write_text(text)
