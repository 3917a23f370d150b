import { element, unescaped } from "../../common/aws-xml";

export interface Page {
    readonly keys: readonly string[];
    /** Of the next page, if there is one. */
    readonly next?: string;
}

/** A page of a listing, as ListObjectsV2 answers with `encoding-type=url`: keys have no character that XML escapes. */
export function listed(xml: string): Page {
    const keys = [...xml.matchAll(/<Contents>.*?<Key>([^<]*)<\/Key>.*?<\/Contents>/gs)].map(([, key]) =>
        decodeURIComponent(key!.replaceAll("+", " ")),
    );
    const isTruncated = element(xml, "IsTruncated") === "true";
    return { keys, ...(isTruncated && { next: unescaped(element(xml, "NextContinuationToken") ?? "") }) };
}
