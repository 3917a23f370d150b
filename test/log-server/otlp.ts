/** A line of a log, as a server got it. */
export interface LogRecord {
    /** Labels of the file that it is from. */
    readonly resource: Readonly<Record<string, string>>;
    readonly attributes: Readonly<Record<string, string>>;
    readonly body: string;
    /** Unit: milliseconds. */
    readonly time: number;
}

/** The values of a message by field number. */
type Fields = ReadonlyMap<number, readonly (Buffer | bigint)[]>;

/** The records of an `ExportLogsServiceRequest`. Field numbers: opentelemetry/proto/logs/v1/logs.proto. */
export function exportedLogs(request: Buffer): LogRecord[] {
    return messages(fields(request), 1).flatMap((resourceLogs) => {
        const resource = messages(resourceLogs, 1).flatMap((each) => attributes(each, 1));
        return messages(resourceLogs, 2).flatMap((scopeLogs) =>
            messages(scopeLogs, 2).map((record) => ({
                resource: Object.fromEntries(resource),
                attributes: Object.fromEntries(attributes(record, 6)),
                body: messages(record, 5).map(text)[0] ?? "",
                time: Number(((record.get(1)?.[0] as bigint) ?? 0n) / 1_000_000n),
            })),
        );
    });
}

function attributes(message: Fields, field: number): [string, string][] {
    return messages(message, field).map((each) => [String(each.get(1)?.[0]), messages(each, 2).map(text)[0] ?? ""]);
}

/** A value that is text. */
function text(value: Fields): string {
    return String(value.get(1)?.[0] ?? "");
}

function messages(message: Fields, field: number): Fields[] {
    return (message.get(field) ?? []).map((each) => fields(each as Buffer));
}

function fields(message: Buffer): Fields {
    const found = new Map<number, (Buffer | bigint)[]>();
    let at = 0;
    const varint = (): bigint => {
        let value = 0n;
        for (let shift = 0n; ; shift += 7n) {
            const byte = message[at++]!;
            value |= BigInt(byte & 0x7f) << shift;
            if (byte < 0x80) return value;
        }
    };
    const take = (length: number): Buffer => {
        at += length;
        return message.subarray(at - length, at);
    };
    const read = (wireType: number): Buffer | bigint => {
        if (wireType === 0) return varint();
        if (wireType === 1) return take(8).readBigUInt64LE();
        if (wireType === 2) return take(Number(varint()));
        if (wireType === 5) return BigInt(take(4).readUInt32LE());
        throw new Error(`unknown wire type ${wireType}`);
    };
    while (at < message.length) {
        const key = Number(varint());
        const field = key >> 3;
        found.set(field, [...(found.get(field) ?? []), read(key & 7)]);
    }
    return found;
}
