import { ports } from "./ports";

/** The plugins of CoreDNS' own releases: `coredns -plugins`. A test compares them with the binary's. */
export const corednsPlugins = (
    "acl any auto autopath azure bind bufsize cache cancel chaos clouddns debug dns64 dnssec dnstap erratic errors etcd " +
    "file forward geoip grpc grpc_server header health hosts https https3 k8s_external kubernetes loadbalance local " +
    "log loop metadata minimal multisocket nomad nsid on pprof prometheus proxyproto quic ready reload rewrite root " +
    "route53 secondary shed sign template timeouts tls trace transfer tsig view whoami"
).split(" ");

interface Token {
    readonly text: string;
    readonly line: number;
    readonly isQuoted: boolean;
}

/** A server block, or a snippet: `(name) { ... }`. */
interface Block {
    readonly keys: readonly Token[];
    /** The words of each line, without those in braces. */
    readonly directives: readonly (readonly Token[])[];
}

const example = "blocks of a Corefile, each with its zones in front";

/**
 * Checks additional server blocks as far as they can be without CoreDNS, which would refuse the whole configuration.
 *
 * Throws `<option> must be <legal> (got <value>)`.
 */
export function requireServerBlocks(option: string, text: string, clusterDomain: string): void {
    const refuse = (legal: string, { line, text: got }: Token) => {
        return new Error(`${option} must be ${legal} (got ${JSON.stringify(got)} in line ${line})`);
    };
    const forbid = (what: string, { line, text: got }: Token) => {
        return new Error(`${option} must not ${what} (got ${JSON.stringify(got)} in line ${line})`);
    };
    const blocks = parse(text, refuse);
    if (blocks.length === 0) throw new Error(`${option} must be ${example} (got no block)`);
    const snippets = blocks.flatMap(({ keys }) => keys.flatMap(({ text: key }) => /^\((\S+)\)$/.exec(key)?.[1] ?? []));
    const zones = new Set<string>();
    for (const { keys, directives } of blocks) {
        for (const key of keys.filter(({ text: each }) => !/^\(\S+\)$/.test(each))) {
            const zone = zoneOf(key.text);
            if (zone === undefined) {
                throw refuse(`blocks of DNS zones on port ${ports.dns}, the only one that pods use`, key);
            }
            if (zone === "." || isWithin(zone, clusterDomain)) {
                const own = `${clusterDomain} and . (set network.dns.upstreams for other servers)`;
                throw forbid(`have the zones of the cluster, ${own}`, key);
            }
            if (zones.has(zone)) throw forbid("have a zone twice", key);
            zones.add(zone);
        }
        for (const [plugin, argument] of directives) {
            if (plugin!.text === "import") {
                if (!argument || !snippets.includes(argument.text)) {
                    throw forbid("import anything but its own snippets, (name) { ... }", argument ?? plugin!);
                }
            } else if (!corednsPlugins.includes(plugin!.text)) {
                throw refuse("blocks of CoreDNS' own plugins", plugin!);
            }
        }
    }
}

/** The zone of a block's key in one form. @returns undefined if it is not a zone on the DNS port */
function zoneOf(key: string): string | undefined {
    const [, name, port = ports.dns] = /^(?:dns:\/\/)?([^:]+?)(?::(\d+))?$/.exec(key.toLowerCase()) ?? [];
    if (!name || Number(port) !== ports.dns) return undefined;
    if (name === ".") return name;
    const zone = name.replace(/\.$/, "");
    // A block of addresses stands for its reverse zone.
    return /^([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\/\d+)?$/.test(zone)
        ? zone
        : undefined;
}

function isWithin(zone: string, domain: string): boolean {
    return zone === domain || zone.endsWith(`.${domain}`);
}

type Refuse = (legal: string, token: Token) => Error;

/** Source: the parser of github.com/coredns/caddy. */
function parse(text: string, refuse: Refuse): Block[] {
    const tokens = tokenize(text);
    const blocks: Block[] = [];
    let keys: Token[] = [];
    let directives: Token[][] = [];
    let depth = 0;
    for (const [index, token] of tokens.entries()) {
        const before = tokens[index - 1];
        const startsLine = token.line !== before?.line;
        const brace = token.isQuoted ? undefined : token.text;
        if (brace === "{") {
            if (depth === 0 && keys.length === 0) throw refuse(example, token);
            depth++;
        } else if (brace === "}") {
            if (depth === 0) throw refuse("balanced in its braces", token);
            if (!startsLine) throw refuse("blocks with each closing brace on a line of its own", token);
            depth--;
            if (depth === 0) {
                blocks.push({ keys, directives });
                [keys, directives] = [[], []];
            }
        } else if (depth === 0) {
            if (keys.length > 0 && startsLine && !before!.text.endsWith(",")) throw refuse(example, before!);
            keys.push({ ...token, text: token.text.replace(/,$/, "") });
        } else if (depth === 1) {
            if (startsLine || before!.text === "{" || before!.text === "}") directives.push([token]);
            else directives.at(-1)!.push(token);
        }
    }
    const [key] = keys;
    if (key) throw refuse(depth > 0 ? "balanced in its braces" : example, key);
    return blocks;
}

/** Words and quoted texts; the rest of a line after `#` is a comment. */
function tokenize(text: string): Token[] {
    const found = text.matchAll(/"((?:\\.|[^"\\])*)"|(#[^\n]*)|([^\s#"][^\s#]*)/g);
    return [...found].flatMap(({ 1: quoted, 2: comment, 3: word, index }) => {
        const line = text.slice(0, index).split("\n").length;
        return comment === undefined ? [{ text: quoted ?? word!, line, isQuoted: quoted !== undefined }] : [];
    });
}
