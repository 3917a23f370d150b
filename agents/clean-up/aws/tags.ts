import { elementsAt, textAt, type XmlElement } from "../../../clients/aws/xml";

/** Where a cluster's controllers created resources, and how to distinguish them from the stack's. */
export interface AwsPlace {
    readonly kind: "aws";
    readonly region: string;
    readonly vpcId: string;
    /** On all resources of the cluster, with the value `owned`. */
    readonly clusterTag: string;
    /** On all resources of the stack. */
    readonly ownTag: string;
}

type Tagging = Pick<AwsPlace, "clusterTag" | "ownTag">;

/** Whether an element's tags show that the cluster's controllers created it. */
export function isCreatedByCluster(tags: readonly XmlElement[], { clusterTag, ownTag }: Tagging): boolean {
    const all = new Map(
        tags.map((tag) => [textAt(tag, "key") ?? textAt(tag, "Key"), textAt(tag, "value") ?? textAt(tag, "Value")]),
    );
    return all.get(clusterTag) === "owned" && !all.has(ownTag);
}

/** All pages of a service's response, each found at `path`. */
export async function allPages(
    ask: (more: Readonly<Record<string, string>>) => Promise<XmlElement>,
    path: readonly string[],
    { result = [], from, into }: { readonly result?: readonly string[]; readonly from: string; readonly into: string },
): Promise<XmlElement[]> {
    const found: XmlElement[] = [];
    for (let marker: string | undefined = "first"; marker !== undefined; ) {
        const answer: XmlElement = await ask(marker === "first" ? {} : { [into]: marker });
        found.push(...elementsAt(answer, ...result, ...path));
        marker = textAt(answer, ...result, from);
    }
    return found;
}
