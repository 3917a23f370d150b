import { lineDifference } from "./differences";
import { readNodeConfig } from "./node-config";
import { SECRET } from "./plain";

/** A file, unit or setting of what a machine boots with, which is another one. */
export interface FileChange {
    readonly name: string;
    readonly kind: "comes" | "goes" | "changes";
    /** Lines as of `diff -u`. @default - what it holds is not shown */
    readonly lines?: readonly string[];
}

/** More of a file is no longer read by people: programs in one line, say. */
const mostLines = 60;
const longestLine = 300;

/**
 * What is different between two configs of a machine. Of what root alone may read nothing is shown but that it
 * is another one; what is known as a secret is hidden wherever it stands.
 *
 * @param secrets - values that nobody may read
 * @returns undefined if one of them is no config
 */
export function configChanges(before: unknown, after: unknown, secrets: readonly string[]): FileChange[] | undefined {
    const [from, to] = [readNodeConfig(before), readNodeConfig(after)];
    if (!from || !to) return undefined;
    const names = [...new Set([...Object.keys(from.texts), ...Object.keys(to.texts)])].sort();
    return names.flatMap((name): FileChange[] => {
        const [old, next] = [from.texts[name], to.texts[name]];
        if (old === next) return [];
        const kind = old === undefined ? "comes" : next === undefined ? "goes" : "changes";
        if (from.isHidden(name) || to.isHidden(name)) return [{ name, kind }];
        const [difference] = lineDifference(name, hide(old ?? "", secrets), hide(next ?? "", secrets));
        return [{ name, kind, ...(difference && { lines: difference.lines.map(shortened).slice(0, mostLines) }) }];
    });
}

/** Patterns of what is secret wherever it is: private keys, tokens by which machines join. */
const patterns = [
    /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g,
    /\b[a-z0-9]{6}\.[a-z0-9]{16}\b/g,
];

/** A text without secrets. */
export function hide(text: string, secrets: readonly string[]): string {
    const known = secrets.reduce((left, secret) => left.replaceAll(secret, SECRET), text);
    return patterns.reduce((left, pattern) => left.replaceAll(pattern, SECRET), known);
}

function shortened(line: string): string {
    return line.length <= longestLine ? line : `${line.slice(0, longestLine)}… (${line.length} characters)`;
}
