import type { Answer } from "../../services/service";

const mostKeys = 1000;

/** A page of the keys that begin with a prefix, in their order (ListObjectsV2). */
export function listing(bucket: string, keys: readonly string[], query: string): Answer {
    const asked = new URLSearchParams(query);
    const [prefix, after] = [asked.get("prefix") ?? "", asked.get("continuation-token") ?? ""];
    const most = Math.min(Number(asked.get("max-keys") ?? mostKeys), mostKeys);
    const shown = (key: string) => (asked.get("encoding-type") === "url" ? encodeURIComponent(key) : escaped(key));
    const all = keys.filter((key) => key.startsWith(prefix) && key > after).sort();
    const page = all.slice(0, most);
    const next = all.length > page.length ? page.at(-1) : undefined;
    const lines = [
        `<Name>${bucket}</Name><Prefix>${shown(prefix)}</Prefix><KeyCount>${page.length}</KeyCount>`,
        `<MaxKeys>${most}</MaxKeys><IsTruncated>${next !== undefined}</IsTruncated>`,
        ...(next === undefined ? [] : [`<NextContinuationToken>${escaped(next)}</NextContinuationToken>`]),
        ...page.map((key) => `<Contents><Key>${shown(key)}</Key></Contents>`),
    ];
    const result = `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${lines.join("")}</ListBucketResult>`;
    const headers = { "content-type": "application/xml" };
    return { status: 200, headers, body: `<?xml version="1.0" encoding="UTF-8"?>\n${result}` };
}

function escaped(text: string): string {
    return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
