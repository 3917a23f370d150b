import { type Config, parse } from "../ignition";
import { inlineContents } from "../ignition/data-url";
import { mustNot } from "./validate";

/**
 * Throws if a snippet of machines that are named by their cloud sets their host name. Their node would get that name,
 * and a certificate only for the name that the cloud knows: no machine of the pool could join.
 *
 * @param option - the list of snippets, for the message
 * @param pool - the pool of these machines
 */
export function requireNoHostName(option: string, pool: string, snippets: readonly string[]): void {
    snippets.forEach((snippet, index) => {
        const place = hostNameIn(parse(snippet));
        if (place === undefined) return;
        const what = `set a host name, because the cloud names each machine of the pool ${pool} and its node`;
        throw mustNot(`${option}[${index}]`, what, place);
    });
}

/** Where a snippet sets the host name. Undefined if it does not, judging by its own text. */
function hostNameIn({ storage = {}, systemd = {}, kernelArguments }: Config): string | undefined {
    const { files = [], links = [] } = storage;
    const named = [...files, ...links].find(({ path }) => path === hostNameFile);
    if (named) return `the file ${hostNameFile}`;
    if (kernelArguments?.shouldExist?.some((each) => /^systemd\.hostname=/.test(each))) {
        return "the kernel argument systemd.hostname";
    }
    for (const { path, mode, contents, append = [] } of files) {
        for (const { source, compression } of [contents ?? {}, ...append]) {
            const text = textOf(source ?? "", compression);
            const isScript = text.startsWith("#!") || ((mode ?? 0) & 0o111) !== 0;
            const found = path.startsWith("/etc/cloud/") ? keyIn(text) : isScript ? commandIn(text) : undefined;
            if (found) return `${JSON.stringify(found)} in the file ${path}`;
        }
    }
    for (const { name, contents, dropins = [] } of systemd.units ?? []) {
        const found = [contents, ...dropins.map((dropin) => dropin.contents)].map((text) => commandIn(text ?? ""));
        const first = found.find((each) => each !== undefined);
        if (first) return `${JSON.stringify(first)} in the unit ${name}`;
    }
    return undefined;
}

/** Ignition reports on the machine that a file is not compressed as it says. */
function textOf(source: string, compression?: string | null): string {
    try {
        return inlineContents(source, compression)?.toString() ?? "";
    } catch {
        return "";
    }
}

const hostNameFile = "/etc/hostname";

/** cloud-init's settings of a host name. Source: its documentation of the modules set_hostname and update_hostname. */
const cloudInitKey = /^[ \t]*(?:(?:hostname|fqdn)[ \t]*:[ \t]*\S|preserve_hostname[ \t]*:[ \t]*true\b)/;

/** `hostname` and `hostnamectl` with a name, and what writes to /etc/hostname. */
const commands = [
    /\bhostnamectl\s+(?:-\S+\s+)*(?:set-hostname|hostname)\s+(?:-\S+\s+)*[\w"'$]/,
    /(?:^|[;&|({`"'=]|\b(?:then|do|else)\b)[-@:+!\s]*(?:\/(?:usr\/)?s?bin\/)?hostname\s+(?:-F|--file|-b|["']?[\w$])/,
    /(?:>\|?|\btee(?:\s+-\S+)*)\s*["']?\/etc\/hostname\b/,
];

function keyIn(text: string): string | undefined {
    return lineIn(text, [cloudInitKey]);
}

function commandIn(text: string): string | undefined {
    return lineIn(text, commands);
}

/** The first line that matches and is no comment. */
function lineIn(text: string, patterns: readonly RegExp[]): string | undefined {
    const lines = text.replaceAll("\\\n", " ").split("\n");
    return lines.find((line) => !/^\s*[#;]/.test(line) && patterns.some((pattern) => pattern.test(line)))?.trim();
}
