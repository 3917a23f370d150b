const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** A place in generated code: its column, and the index, line and column of its source. */
type Place = readonly [column: number, source: number, line: number, sourceColumn: number];

/**
 * Mappings of a source map without those that only have another column of the same source line: stack traces show lines,
 * and all columns are a fifth of the package. Names are left out.
 *
 * Source: ECMA-426, "Mappings structure".
 */
export function lineMappings(mappings: string): string {
    let [read, written]: [number[], readonly number[]] = [
        [0, 0, 0, 0],
        [0, 0, 0, 0],
    ];
    return mappings
        .split(";")
        .map((line) => {
            read = [0, ...read.slice(1)];
            written = [0, ...written.slice(1)];
            let last: Place | undefined;
            const kept: string[] = [];
            for (const segment of line.split(",").filter(Boolean)) {
                const deltas = decode(segment);
                read = read.map((value, field) => value + (deltas[field] ?? 0));
                if (deltas.length < 4) continue;
                const place = [...read] as unknown as Place;
                if (last?.[1] === place[1] && last[2] === place[2]) continue;
                last = place;
                kept.push(place.map((value, field) => encode(value - written[field]!)).join(""));
                written = place;
            }
            return kept.join(",");
        })
        .join(";");
}

/** Base64 digits with five bits each, the lowest first, and a sign in the lowest bit of all. */
function decode(segment: string): number[] {
    const numbers: number[] = [];
    let [value, shift] = [0, 0];
    for (const digit of segment) {
        const bits = digits.indexOf(digit);
        value += (bits & 31) << shift;
        shift += 5;
        if (bits & 32) continue;
        numbers.push(value & 1 ? -(value >> 1) : value >> 1);
        [value, shift] = [0, 0];
    }
    return numbers;
}

function encode(number: number): string {
    let [rest, text] = [number < 0 ? (-number << 1) | 1 : number << 1, ""];
    do {
        text += digits[(rest & 31) | (rest > 31 ? 32 : 0)];
        rest >>= 5;
    } while (rest > 0);
    return text;
}
