import { structuredPatch } from "diff";
import { isUnknown } from "../../simulator/plugins/protocol/values";

/** A value that is another one, by its path. */
interface Difference {
    /** As people read it: `spec.containers[kube-apiserver].command`. */
    readonly path: string;
    /** Lines as of `diff -u`, each after `+`, `-` or a space; `…` stands for those that are left out. */
    readonly lines: readonly string[];
}

interface Place {
    /** As the engine names it. */
    readonly engine: string;
    readonly path: string;
}

/**
 * Where two values differ. Lists of names are compared by their names; JSON and base64 in texts as what they hold.
 *
 * @param changed - paths that the engine says to differ: of two secrets nobody else can tell
 */
export function differences(before: unknown, after: unknown, changed: readonly string[] = []): Difference[] {
    return compare(before, after, { engine: "", path: "" }, changed);
}

function compare(before: unknown, after: unknown, place: Place, changed: readonly string[]): Difference[] {
    const [from, to] = [unfolded(before), unfolded(after)];
    const isWithin = (inner: Place, old: unknown, next: unknown) => compare(old, next, inner, changed);
    if (from === SECRET && to === SECRET) {
        return changed.some((path) => covers(path, place.engine) || covers(place.engine, path))
            ? [{ path: place.path, lines: [`~${SECRET}, another one`] }]
            : [];
    }
    if (to === UNKNOWN) {
        return [{ path: place.path, lines: [...shortLine(from).map((line) => `-${line}`), `+${UNKNOWN}`] }];
    }
    if (isTexts(from) && isTexts(to)) {
        const lines = (list: readonly unknown[]) => list.map((each) => `${each}\n`).join("");
        return lineDifference(place.path, lines(from), lines(to));
    }
    if (Array.isArray(from) && Array.isArray(to)) {
        const keys = namesOf(from, to) ?? Array.from({ length: Math.max(from.length, to.length) }, (_, index) => index);
        const at = (list: readonly unknown[], key: string | number) =>
            typeof key === "number" ? list[key] : list.find((each) => nameOf(each) === key);
        return keys.flatMap((key) => {
            const index = typeof key === "number" ? key : to.findIndex((each) => nameOf(each) === key);
            const inner = { engine: `${place.engine}[${index}]`, path: `${place.path}[${key}]` };
            return isWithin(inner, at(from, key), at(to, key));
        });
    }
    if (isObject(from) && isObject(to)) {
        const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])].sort();
        return keys.flatMap((key) => isWithin(inside(place, key), from[key], to[key]));
    }
    return lineDifference(place.path, textOf(from), textOf(to));
}

/** The lines in which two texts differ, with those around them. */
export function lineDifference(path: string, before: string, after: string, context = 2): Difference[] {
    if (before === after) return [];
    // Else the last line would be another one whenever one comes behind it.
    const ends = before.endsWith("\n") || after.endsWith("\n") ? "" : "\n";
    const { hunks } = structuredPatch("", "", `${before}${before && ends}`, `${after}${after && ends}`, "", "", {
        context,
    });
    const lines = hunks.flatMap((hunk, index) => [
        ...(index > 0 || hunk.oldStart > 1 ? [" …"] : []),
        // What is said of a last line that does not end.
        ...hunk.lines.filter((line) => !line.startsWith("\\")),
    ]);
    return [{ path, lines }];
}

/** A value as lines. */
export function textOf(value: unknown): string {
    if (value === undefined) return "";
    return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** A value where it takes a line: of what is to be known later nobody compares long ones. */
function shortLine(value: unknown): string[] {
    const text = textOf(value);
    return text === "" || text.includes("\n") || text.length > 200 ? [] : [text];
}

function inside({ engine, path }: Place, key: string): Place {
    const isPlain = /^[\w$-]+$/.test(key);
    const join = (to: string) => (isPlain ? `${to}${to && "."}${key}` : `${to}["${key}"]`);
    return { engine: join(engine), path: join(path) };
}

/** Whether a path is another one, or leads to it. */
function covers(path: string, other: string): boolean {
    return other === path || path === "" || other.startsWith(`${path}.`) || other.startsWith(`${path}[`);
}

/** Names by which two lists can be compared; those of the new one first. */
function namesOf(from: readonly unknown[], to: readonly unknown[]): string[] | undefined {
    const names = [...to, ...from].map(nameOf);
    const isUnique = (list: readonly unknown[]) => new Set(list.map(nameOf)).size === list.length;
    return names.every((name) => name !== undefined) && isUnique(from) && isUnique(to)
        ? ([...new Set(names)] as string[])
        : undefined;
}

function nameOf(value: unknown): string | undefined {
    const name = isObject(value) ? value.name : undefined;
    return typeof name === "string" ? name : undefined;
}

function isTexts(value: unknown): value is unknown[] {
    return Array.isArray(value) && value.every((each) => !isObject(each) && !Array.isArray(each));
}

export function isObject(value: unknown): value is Record<string, unknown> {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What stands for a value that is not shown. */
export const SECRET = "[secret]";
/** What stands for a value that only `up` can tell. */
export const UNKNOWN = "[known after up]";

/** Pulumi's mark of values that are no plain JSON, and which of them are secret. */
const signature = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/** A value as the engine tells it, with nothing that is secret in it, whether it was told encrypted or not. */
export function plain(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(plain);
    if (isUnknown(value)) return UNKNOWN;
    if (value === null || typeof value !== "object") return value;
    if (isSecret(value)) return SECRET;
    // Assets and references: what they are, without Pulumi's mark.
    const entries = Object.entries(value).filter(([key]) => key !== signature && !key.startsWith("__"));
    return Object.fromEntries(entries.map(([key, each]) => [key, plain(each)]));
}

/** Whether it is the envelope of a secret; its `plaintext` is there if somebody asked for it, as JSON. */
export function isSecret(value: unknown): value is { readonly plaintext?: string } {
    return typeof value === "object" && value !== null && Reflect.get(value, signature) === secretSignature;
}

/** Whether a file's mode keeps it from everybody else. */
export function isForRootAlone(mode: number): boolean {
    return (mode & 0o004) === 0;
}

const passwords = ["passwordHash", "passwd", "hashed_passwd", "plain_text_passwd"];

/** Ignition has accounts under `passwd`, where cloud-init has a password. */
function isHidden(key: string, value: unknown): boolean {
    return key === "httpHeaders" || (passwords.includes(key) && !isObject(value));
}

/** Without passwords, headers of requests, and what addresses have for who may read there. */
export function withoutSecrets<T>(value: T): T {
    if (Array.isArray(value)) return value.map(withoutSecrets) as T;
    if (typeof value === "string") {
        return value
            .replace(/^(https?:\/\/)([^/?#]*@)?([^?#]*)\?.*$/s, `$1$3?${SECRET}`)
            .replace(/^(https?:\/\/)[^/?#]*@/, "$1") as T;
    }
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(([key, each]) => [
        key,
        isHidden(key, each) ? SECRET : withoutSecrets(each),
    ]);
    return Object.fromEntries(entries) as T;
}

/** What a text holds: JSON as a value, base64 of a text as that; every other value as it is. */
export function unfolded(value: unknown): unknown {
    if (typeof value !== "string") return value;
    const text = decoded(value) ?? value;
    if (!/^\s*[{[]/.test(text)) return text;
    try {
        return JSON.parse(text);
    } catch {
        return text;
    }
}

/** Of what is long enough not to be a word: `kube-system` could be base64 too. */
const base64 = /^(?:[A-Za-z0-9+/]{4}){10,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function decoded(value: string): string | undefined {
    if (!base64.test(value)) return undefined;
    const bytes = Buffer.from(value, "base64");
    const text = bytes.toString("utf8");
    const isText = Buffer.from(text).equals(bytes) && /^[\P{C}\t\r\n]*$/u.test(text);
    return isText ? text : undefined;
}
