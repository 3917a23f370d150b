import type { MethodDefinition } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import type { DiffResponse } from "@pulumi/pulumi/proto/provider_pb";
import { Reader, Writer } from "protobufjs/minimal";
import type { Failure } from "./provider";
import { eachField, messageEnd, readStruct, writeStruct } from "./struct";
import type { Properties } from "./values";

// The engine's requests for every resource in every preview, read and written without google-protobuf: see struct.ts.
// Field numbers: pulumi/provider.proto.

export interface CheckRequest {
    readonly urn: string;
    readonly olds: Properties;
    readonly news: Properties;
}

export interface CheckResponse {
    readonly inputs: Properties;
    readonly failures?: readonly Failure[];
}

export interface DiffRequest {
    readonly id: string;
    readonly urn: string;
    readonly olds: Properties;
    readonly news: Properties;
    readonly oldInputs: Properties;
}

const { check, diff } = ResourceProviderService;

/** The methods of the provider's service with these messages. */
export const previewCalls = {
    check: { ...check, requestDeserialize: readCheckRequest, responseSerialize: writeCheckResponse },
    diff: { ...diff, requestDeserialize: readDiffRequest },
} as unknown as {
    check: MethodDefinition<CheckRequest, CheckResponse>;
    diff: MethodDefinition<DiffRequest, DiffResponse>;
};

export function readCheckRequest(bytes: Uint8Array): CheckRequest {
    const { text, struct } = readFields(bytes, { text: [1], structs: [2, 3] });
    return { urn: text(1), olds: struct(2), news: struct(3) };
}

export function readDiffRequest(bytes: Uint8Array): DiffRequest {
    const { text, struct } = readFields(bytes, { text: [1, 2], structs: [3, 4, 6] });
    return { id: text(1), urn: text(2), olds: struct(3), news: struct(4), oldInputs: struct(6) };
}

function readFields(bytes: Uint8Array, fields: { text: readonly number[]; structs: readonly number[] }) {
    const texts = new Map<number, string>();
    const structs = new Map<number, Properties>();
    const reader = Reader.create(bytes);
    eachField(reader, bytes.length, (number, wireType) => {
        if (fields.text.includes(number)) texts.set(number, reader.string());
        else if (fields.structs.includes(number))
            structs.set(number, readStruct(reader, messageEnd(reader)) as Properties);
        else reader.skipType(wireType);
    });
    return { text: (number: number) => texts.get(number) ?? "", struct: (number: number) => structs.get(number) ?? {} };
}

const BYTES = 2;
const field = (number: number) => (number << 3) | BYTES;

export function writeCheckResponse({ inputs, failures = [] }: CheckResponse): Buffer {
    const writer = Writer.create();
    writeStruct(writer.uint32(field(1)).fork(), inputs).ldelim();
    for (const { property, reason } of failures) {
        writer.uint32(field(2)).fork().uint32(field(1)).string(property).uint32(field(2)).string(reason).ldelim();
    }
    return Buffer.from(writer.finish());
}
