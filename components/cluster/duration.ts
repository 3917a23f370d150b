import { invalid } from "./validate";

const seconds = { s: 1, m: 60, h: 3600, d: 86_400 } as const;

/** Seconds of a duration such as `90s`, `30m`, `12h` or `7d`. */
export function requireDuration(option: string, text: string, least: string): number {
    const parsed = parse(text);
    if (parsed === undefined || parsed < parse(least)!) {
        throw invalid(option, `a duration of ${least} or more, such as 30m, 12h or 7d`, text);
    }
    return parsed;
}

function parse(text: string): number | undefined {
    const [, amount, unit] = /^([1-9]\d{0,5})([smhd])$/.exec(text) ?? [];
    return amount === undefined ? undefined : Number(amount) * seconds[unit as keyof typeof seconds];
}
