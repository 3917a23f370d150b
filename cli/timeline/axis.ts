/** Seconds from one line to the next. */
const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 86400];

/** At most that many lines, at round numbers of seconds, from 0. */
export function ticks(seconds: number, most = 9): number[] {
    const step = STEPS.find((each) => seconds / each <= most) ?? Math.ceil(seconds / most / 86400) * 86400;
    return Array.from({ length: Math.floor(seconds / step + 1e-9) + 1 }, (_, index) => index * step);
}

/** Such as `12 s`, `2:30 min` and `1:30 h`. */
export function tickLabel(seconds: number): string {
    if (seconds < 60) return `${Math.round(seconds * 10) / 10} s`;
    const [large, small, unit] = seconds < 3600 ? [60, 1, "min"] : [3600, 60, "h"];
    const rest = Math.round((seconds % large) / small);
    return rest === 0
        ? `${Math.floor(seconds / large)} ${unit}`
        : `${Math.floor(seconds / large)}:${String(rest).padStart(2, "0")} ${unit}`;
}
