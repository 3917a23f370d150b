/** A resource in the output of `preview --diff`. */
export interface Previewed {
    /** `~ aws:ec2/launchTemplate:LaunchTemplate c-default (update)`. */
    readonly heading: string;
    readonly type: string;
    readonly name: string;
    readonly body: readonly string[];
}

/**
 * The resources of a preview in readable form and in a stable order.
 *
 * Ids, warnings and tags are left out, as are the contents of removed values; random values are marked.
 */
export function readPreview(output: string): Previewed[] {
    const found: { heading: string; type: string; name: string; body: string[] }[] = [];
    let current: (typeof found)[number] | undefined;
    for (const line of output.split("\n")) {
        const [, sign = "", type, operation] =
            /^ *([~+-]*) ?([a-z][\w.-]*:[\w./-]+:\w+): \((create|update|replace|delete|same)\)/.exec(line) ?? [];
        if (type) {
            current = { heading: `${sign} ${type}`, type, name: `(${operation})`, body: [] };
            found.push(current);
        } else if (/^(warning:|Resources:|Outputs:|Previewing| +--outputs:--)/.test(line)) {
            current = undefined;
        } else if (/^ +\[urn=/.test(line) && current) {
            const name = stable(line.slice(line.lastIndexOf("::") + 2, -1));
            Object.assign(current, { heading: `${current.heading} ${name} ${current.name}`, name });
        } else if (!/^( +\[(id|provider)=|@ )/.test(line)) {
            current?.body.push(stable(line));
        }
    }
    return found
        .filter(({ heading }) => !heading.endsWith("(same)"))
        .map((each) => ({ ...each, body: outdented(withoutDetails(each.body)) }))
        .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** As text: only the headings of deleted resources, and of created ones that are not the cloud's own. */
export function render(previewed: readonly Previewed[], cloud: string): string {
    const isWhole = ({ heading, type }: Previewed) =>
        !heading.startsWith("- ") && (!heading.startsWith("+ ") || type.startsWith(`${cloud}:`));
    return previewed
        .flatMap((each) => [each.heading, ...(isWhole(each) ? each.body.map((line) => `    ${line}`) : [])])
        .map((line) => `${line.trimEnd()}\n`)
        .join("");
}

const keyOf = ({ type, name, heading }: Previewed) => `${type} ${name} ${heading}`;

/** Values that differ in every run, by kind. */
function stable(line: string): string {
    return line
        .replaceAll(/"eyJpZ25pdGlvbi[A-Za-z0-9+/=]*(\.\.\.)?"/g, "<Ignition in base64>")
        .replaceAll(/"[A-Za-z0-9+/=]{40,}(\.\.\.)?"/g, "<base64>")
        .replaceAll(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "<uuid>")
        .replaceAll(/(?<!ami-)\b[0-9a-f]{16,}\b/g, "<hash>")
        .replaceAll(/(?<=[a-z]-)[0-9a-f]{7}\b/g, "<random>")
        .replaceAll(/(?<=bootstrap-token-)[a-z0-9]{6}\b/g, "<random>")
        .replaceAll(/\b127\.(?!0\.)\d+\.\d+\.\d+\b/g, "<own loopback address>")
        .replaceAll(/(?<=https:\/\/)(?!127)\d+\.\d+\.\d+\.\d+\b/g, "<address>")
        .replaceAll(/\b20\d\d-\d\d-\d\dT[\d:.]+Z/g, "<time>");
}

/** Tags and the contents of removed values are not worth reviewing. */
function withoutDetails(lines: readonly string[]): string[] {
    const kept: string[] = [];
    let isTags = false;
    let left: number | undefined;
    for (const line of lines) {
        const indent = line.search(/\S/);
        if (left !== undefined && (indent < 0 || indent > left || (indent === left && /^ *[}\]]$/.test(line))))
            continue;
        left = undefined;
        const [, goes, opening] = /^ *(- )?.*: (?:\(json\) )?([{[])$/.exec(line) ?? [];
        isTags = /^ *(\+ )?tag\w*\s*: [{[]$/.test(line);
        if (opening && (goes || isTags)) left = indent;
        if (isTags || indent < 0) continue;
        kept.push(left === undefined ? line : `${line}...${opening === "{" ? "}" : "]"}`);
    }
    return kept;
}

function outdented(lines: readonly string[]): string[] {
    const least = Math.min(...lines.map((line) => line.search(/\S/)));
    return lines.map((line) => line.slice(least));
}
