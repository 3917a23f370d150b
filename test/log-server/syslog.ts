import type { LogRecord } from "./otlp";

/** The complete messages at the start of a stream with octet counting (RFC 6587). */
export function takeFrames(stream: Buffer): { readonly frames: string[]; readonly rest: Buffer } {
    const frames: string[] = [];
    let rest = stream;
    for (;;) {
        const space = rest.indexOf(" ");
        if (space < 0) return { frames, rest };
        const length = Number(rest.subarray(0, space).toString());
        if (!Number.isInteger(length)) throw new Error(`no octet count: ${rest.subarray(0, 80)}`);
        if (rest.length < space + 1 + length) return { frames, rest };
        frames.push(rest.subarray(space + 1, space + 1 + length).toString());
        rest = rest.subarray(space + 1 + length);
    }
}

/** A message in the format of RFC 5424. */
export function parseSyslog(message: string): LogRecord {
    const [, time, hostname, app, process, data, body] =
        /^<\d+>1 (\S+) (\S+) (\S+) (\S+) - (-|\[(?:[^\]"]|"[^"]*")*\]) (.*)\n?$/s.exec(message) ?? [];
    if (time === undefined) throw new Error(`not a message of RFC 5424: ${message.slice(0, 200)}`);
    const parameters = [...data!.matchAll(/([\w.]+)="([^"]*)"/g)].map(([, key, value]) => [key!, value!]);
    return {
        resource: {
            ...Object.fromEntries(parameters),
            "k8s.node.name": hostname!,
            "k8s.container.name": app!,
            "k8s.pod.name": process!,
        },
        attributes: {},
        body: body!.replace(/\n$/, ""),
        time: Date.parse(time),
    };
}
