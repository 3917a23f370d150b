const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** The parts of a source map that are changed. Source: ECMA-426. */
interface SourceMap {
    readonly mappings: string;
    readonly names?: readonly string[];
}

/**
 * A source map that is as exact in lines, but not in columns, and has no names: a quarter of its size. A place in the
 * program leads to the beginning of what is in that line of its source.
 */
export function smallerMap<Map extends SourceMap>(map: Map): Map {
    // Source, line and column, of the last segment that was read, and of the last one that was written.
    const [read, written] = [
        [0, 0, 0],
        [0, 0, 0],
    ];
    const lines = map.mappings.split(";").map((line) => {
        const kept: string[] = [];
        let [column, lastColumn, last] = [0, 0, ""];
        for (const segment of line.split(",").filter((each) => each !== "")) {
            const [generated = 0, ...place] = decoded(segment);
            column += generated;
            if (place.length === 0) continue;
            for (const index of [0, 1, 2]) read[index]! += place[index] ?? 0;
            const from = `${read[0]} ${read[1]}`;
            if (from === last) continue;
            kept.push(
                [column - lastColumn, ...read.map((each, index) => each - written[index]!)].map(encoded).join(""),
            );
            for (const index of [0, 1, 2]) written[index] = read[index]!;
            [lastColumn, last] = [column, from];
        }
        return kept.join(",");
    });
    return { ...map, names: [], mappings: lines.join(";") };
}

/** Numbers in base 64: five bits in each digit, the least significant first, and in the first one the sign. */
function decoded(text: string): number[] {
    const numbers: number[] = [];
    let [value, shift] = [0, 0];
    for (const digit of text) {
        const bits = digits.indexOf(digit);
        value += (bits & 31) << shift;
        shift += 5;
        if (bits & 32) continue;
        numbers.push(value & 1 ? -(value >> 1) : value >> 1);
        [value, shift] = [0, 0];
    }
    return numbers;
}

function encoded(number: number): string {
    let text = "";
    let rest = number < 0 ? (-number << 1) | 1 : number << 1;
    do {
        const bits = rest & 31;
        rest >>>= 5;
        text += digits[rest > 0 ? bits | 32 : bits];
    } while (rest > 0);
    return text;
}
