/** The program on a machine. A machine without room for it in its user-data has none. */
export const preflightProgram = "/opt/tradewind/bin/preflight";

/** Written by a machine's preflight: a finding per line, `error NAME: …` or `warning NAME: …`. Empty if it is fine. */
export const preflightFile = "/run/tradewind/preflight";

/** Seconds for which errors must last: what the machine can settle itself, such as a slow start, is none. */
export const preflightPatience = 15;

/** What a preflight found, by severity, each as `NAME: what is wrong`. */
export interface Findings {
    readonly errors: readonly string[];
    readonly warnings: readonly string[];
}

export function readFindings(text: string): Findings {
    const of = (severity: string) =>
        text.split("\n").flatMap((line) => (line.startsWith(`${severity} `) ? [line.slice(severity.length + 1)] : []));
    return { errors: of("error"), warnings: of("warning") };
}

/** For an administrator: all errors of a machine that cannot become a node, and what to do. */
export function describeErrors(node: string, errors: readonly string[]): string {
    const lines = errors.map((each) => `\n  ${each}`).join("");
    return `the preflight of ${node} found ${errors.length === 1 ? "an error" : `${errors.length} errors`}:${lines}\nfix them on the machine, which checks itself every few seconds, and run this again; to ignore one, add its name to /etc/tradewind/preflight-ignored there`;
}
