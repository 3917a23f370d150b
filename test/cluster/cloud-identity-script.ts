import type { CloudName } from "../../cluster/clouds";
import { cloudIdentity, kubeletIdentity } from "../../cluster/machines/kubelet/cloud-identity";
import type { Cluster } from "../../cluster/model";
import { inlineContents } from "../../ignition/data-url";

/**
 * What a node runs before its kubelet starts if its cloud has a controller, printing the result instead of saving it.
 */
export function tellIdentityOf(cloudProvider: CloudName): string {
    const { storage } = cloudIdentity({ cloudProvider } as Cluster);
    const { source, compression } = storage!.files![0]!.contents!;
    const script = inlineContents(source ?? "", compression)!
        .toString()
        .replaceAll(kubeletIdentity, "/run/identity-test");
    return `${script}sed 's/.*"providerID":"\\([^"]*\\)".*/\\1/' /run/identity-test | tr -d '\\n'; rm /run/identity-test`;
}
