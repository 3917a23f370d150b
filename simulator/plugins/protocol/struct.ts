import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { Reader, Writer } from "protobufjs/minimal";
import { isObject, type Properties, Secret } from "./values";

// Pulumi marks special objects with this key; its value is the kind of special object.
const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";

// google.protobuf.Struct, Value and ListValue (google/protobuf/struct.proto), converted directly between bytes and
// properties: google-protobuf creates a message for each value first, which took half of a plugin's time in a preview.

/** Calls back for each field until `end`; the callback reads the field, or skips it by its wire type. */
export function eachField(reader: Reader, end: number, field: (number: number, wireType: number) => void): void {
    while (reader.pos < end) {
        const tag = reader.uint32();
        field(tag >>> 3, tag & 7);
    }
}

/** End of the message whose length comes next. */
export function messageEnd(reader: Reader): number {
    return reader.uint32() + reader.pos;
}

/** Reads a Struct; secrets become {@link Secret}. */
export function readStruct(reader: Reader, end: number): unknown {
    const object: Properties = {};
    eachField(reader, end, (number, wireType) => {
        if (number !== 1) return reader.skipType(wireType);
        let key = "";
        let value: unknown = null;
        eachField(reader, messageEnd(reader), (part, type) => {
            if (part === 1) key = reader.string();
            else if (part === 2) value = readValue(reader, messageEnd(reader));
            else reader.skipType(type);
        });
        object[key] = value;
    });
    return object[SIGNATURE] === SECRET ? new Secret(object.value) : object;
}

function readValue(reader: Reader, end: number): unknown {
    let value: unknown = null;
    eachField(reader, end, (number, wireType) => {
        if (number === 2) value = reader.double();
        else if (number === 3) value = reader.string();
        else if (number === 4) value = reader.bool();
        else if (number === 5) value = readStruct(reader, messageEnd(reader));
        else if (number === 6) value = readList(reader, messageEnd(reader));
        else reader.skipType(wireType);
    });
    return value;
}

function readList(reader: Reader, end: number): unknown[] {
    const list: unknown[] = [];
    eachField(reader, end, (number, wireType) => {
        if (number === 1) list.push(readValue(reader, messageEnd(reader)));
        else reader.skipType(wireType);
    });
    return list;
}

/** Writes a Struct, without its length. Undefined values are omitted, as in JSON. */
export function writeStruct(writer: Writer, object: Properties): Writer {
    for (const [key, value] of Object.entries(object)) {
        if (value === undefined) continue;
        writer.uint32(tag(1, BYTES)).fork().uint32(tag(1, BYTES)).string(key);
        writeValue(writer.uint32(tag(2, BYTES)).fork(), value)
            .ldelim()
            .ldelim();
    }
    return writer;
}

function writeValue(writer: Writer, value: unknown): Writer {
    if (typeof value === "string") return writer.uint32(tag(3, BYTES)).string(value);
    if (typeof value === "number") return writer.uint32(tag(2, DOUBLE)).double(value);
    if (typeof value === "boolean") return writer.uint32(tag(4, VARINT)).bool(value);
    if (Array.isArray(value)) {
        writer.uint32(tag(6, BYTES)).fork();
        for (const item of value) writeValue(writer.uint32(tag(1, BYTES)).fork(), item).ldelim();
        return writer.ldelim();
    }
    if (value instanceof Secret) return writeValue(writer, { [SIGNATURE]: SECRET, value: value.value ?? null });
    if (isObject(value)) return writeStruct(writer.uint32(tag(5, BYTES)).fork(), value).ldelim();
    return writer.uint32(tag(1, VARINT)).int32(0);
}

const [VARINT, DOUBLE, BYTES] = [0, 1, 2];

function tag(field: number, wireType: number): number {
    return (field << 3) | wireType;
}

/** Reads a whole Struct. */
function structOf(bytes: Uint8Array): Properties {
    return readStruct(Reader.create(bytes), bytes.length) as Properties;
}

/** A whole Struct. */
function bytesOf(properties: Properties): Uint8Array {
    return writeStruct(Writer.create(), properties).finish();
}

/** Reads properties from the wire; secrets become {@link Secret} so that {@link carrySecrets} can find them again. */
export function decode(struct: Struct | undefined): Properties {
    return struct ? structOf(struct.serializeBinary()) : {};
}

export function encode(properties: Properties): Struct {
    return Struct.deserializeBinary(bytesOf(properties));
}

/** The same properties without secret markers, for providers. */
export function reveal<T>(value: T): T {
    if (value instanceof Secret) return reveal(value.value) as T;
    if (Array.isArray(value)) return value.map(reveal) as T;
    if (isObject(value)) return mapValues(value, reveal) as T;
    return value;
}

/**
 * Marks outputs secret if the input of the same name was. Objects are walked, so that one secret does not hide the
 * whole; an array with any secret is secret as a whole (like `annotateSecrets` in the engine).
 */
export function carrySecrets(outputs: Properties, inputs: Properties): Properties {
    return Object.fromEntries(
        Object.entries(outputs).map(([key, value]) => {
            const input = inputs[key];
            if (isObject(value) && isObject(input)) return [key, carrySecrets(value, input)];
            if (value instanceof Secret || !containsSecret(input)) return [key, value];
            return [key, new Secret(value)];
        }),
    );
}

export function containsSecret(value: unknown): boolean {
    if (value instanceof Secret) return true;
    if (Array.isArray(value)) return value.some(containsSecret);
    return isObject(value) && Object.values(value).some(containsSecret);
}

function mapValues(object: Properties, change: (value: unknown) => unknown): Properties {
    return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
