/** Maximum length of a line in Ignition, in bytes. */
const longestLine = 2048;

/** Why Ignition would refuse a unit's text, or systemd would ignore part of it; undefined if neither. */
export function unitFileError(text: string): string | undefined {
    let isInSection = false;
    let isContinued: "comment" | "value" | undefined;
    for (const line of text.split("\n")) {
        const start = line.trimStart();
        if (Buffer.byteLength(line) >= longestLine) {
            return `a line of more than ${longestLine} bytes: ${line}`;
        }
        if (isContinued) {
            isContinued = continues(line, isContinued) ? isContinued : undefined;
        } else if (/^[#;]/.test(start)) {
            isContinued = continues(line, "comment") ? "comment" : undefined;
        } else if (start.startsWith("[")) {
            if (!/^\[[^\]]*\]\s*$/.test(start)) {
                return `a section header that does not end its line: ${line}`;
            }
            isInSection = true;
        } else if (start !== "") {
            if (!isInSection) {
                return `a line before the first section: ${line}`;
            }
            if (!start.includes("=")) {
                return `a line without =: ${line}`;
            }
            isContinued = continues(line, "value") ? "value" : undefined;
        }
    }
    return undefined;
}

function continues(line: string, kind: "comment" | "value"): boolean {
    return (kind === "comment" ? line.replace(/ $/, "") : line).endsWith("\\");
}
