import { isDeepStrictEqual } from "node:util";

const BINARY = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
const DECIMAL: Record<string, number> = { n: -9, u: -6, m: -3, "": 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };

/** Whether two values say the same: as they are, or as quantities (`0.5` and `500m`, `1Gi` and `1024Mi`). */
export function isSame(one: unknown, other: unknown): boolean {
    if (isDeepStrictEqual(one, other)) return true;
    if (typeof one === "boolean" || typeof other === "boolean") return false;
    const [first, second] = [quantity(one), quantity(other)];
    return first !== undefined && first === second;
}

function quantity(value: unknown): number | undefined {
    if (typeof value !== "number" && typeof value !== "string") return undefined;
    const [, digits, unit = ""] =
        /^([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)([KMGTPE]i|[numkMGTPE])?$/.exec(`${value}`) ?? [];
    if (digits === undefined) return undefined;
    const scale = unit.endsWith("i") ? 1024 ** (BINARY.indexOf(unit) + 1) : 10 ** DECIMAL[unit];
    // Rounded, for 0.1 has no exact binary form.
    return Number((Number(digits) * scale).toPrecision(12));
}
