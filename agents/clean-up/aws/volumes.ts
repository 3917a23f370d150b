import { elementsAt, textAt, type XmlElement } from "../../common/xml-tree";
import type { AwsPlace, Leftover } from "../leftover";
import type { AwsQuery } from "./query";
import { allPages, filters, isMadeByCluster } from "./tags";

/** The driver's tags of what a volume is for. Source: aws-ebs-csi-driver, docs/tagging.md. */
const claim = ["namespace", "name"].map((part) => `kubernetes.io/created-for/pvc/${part}`);

/** Those of claims. One that a machine of the dead cluster has is taken from it. */
export async function volumes(query: AwsQuery, place: AwsPlace): Promise<Leftover[]> {
    const asked = filters({ [`tag:${place.clusterTag}`]: "owned" });
    const ask = (more: object) => query("ec2", "DescribeVolumes", { ...asked, ...more });
    const all = await allPages(ask, ["volumeSet", "item"], { from: "nextToken", into: "NextToken" });
    return all
        .filter((each) => isMadeByCluster(elementsAt(each, "tagSet", "item"), place))
        .map((each) => {
            const id = textAt(each, "volumeId")!;
            const remove = async () => {
                if (elementsAt(each, "attachmentSet", "item").length > 0) {
                    await query("ec2", "DetachVolume", { VolumeId: id, Force: "true" });
                }
                if (textAt(each, "status") !== "deleting") await query("ec2", "DeleteVolume", { VolumeId: id });
            };
            return { words: `volume ${id}${describe(each)}`, isVolume: true, remove };
        });
}

function describe(volume: XmlElement): string {
    const tags = new Map(elementsAt(volume, "tagSet", "item").map((tag) => [textAt(tag, "key"), textAt(tag, "value")]));
    const [namespace, name] = claim.map((key) => tags.get(key));
    return ` of ${textAt(volume, "size")} GiB${name ? `, of claim ${namespace}/${name}` : ""}`;
}
