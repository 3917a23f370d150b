import { invalid } from "./validate";

const seconds = { s: 1, m: 60, h: 3600, d: 86_400 } as const;

/** Parses a duration such as `90s`, `30m`, `12h` or `7d` into seconds. @param most - @default no maximum */
export function requireDuration(option: string, text: string, least: string, most?: string): number {
    const parsed = parse(text);
    if (parsed === undefined || parsed < parse(least)! || (most !== undefined && parsed > parse(most)!)) {
        const legal = most === undefined ? `of ${least} or more, such as 30m, 12h or 7d` : `from ${least} to ${most}`;
        throw invalid(option, `a duration ${legal}`, text);
    }
    return parsed;
}

function parse(text: string): number | undefined {
    const [, amount, unit] = /^([1-9]\d{0,5})([smhd])$/.exec(text) ?? [];
    return amount === undefined ? undefined : Number(amount) * seconds[unit as keyof typeof seconds];
}

const byDefault = "5m";

/** Drain timeout of a pool in seconds. @param pool - `workerPools[0]` */
export function requireDrainTimeout(pool: string, drainTimeout: string = byDefault): number {
    return requireDuration(`${pool}.drainTimeout`, drainTimeout, "30s", "2h");
}
