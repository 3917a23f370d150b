import { type Config, config, directory, file, link } from "../../ignition";
import type { Credentials } from "../cluster/credentials";
import { kubeconfig } from "../cluster/kubeconfig";
import type { Cluster } from "../cluster/model";
import { localApiServer } from "./api-server";
import { kubeletKubeconfig } from "./kubelet-settings";
import { paths } from "./paths";

/** The kubelet's own name for the certificate that it has now: a link, which it points elsewhere when it rotates. */
const current = paths.kubeletClient;
const first = `${paths.kubeletPki}/kubelet-client-first.pem`;

/**
 * A client certificate for the kubelet that starts before there is a cluster to ask for one.
 *
 * By TLS bootstrap it would ask with growing pauses while the API comes up, and look for the answer every 10 s:
 * a third of the time to the pivot. It renews this one as it would any other; should it have ended before the
 * machine's first boot, the kubelet joins with its bootstrap token after all.
 */
export function firstKubelet(cluster: Cluster, { kubernetesCa, firstKubelet: { cert, key } }: Credentials): Config {
    const access = kubeconfig({
        cluster: cluster.name,
        server: localApiServer,
        ca: kubernetesCa.cert,
        user: "kubelet",
        credentials: { certificateFile: current },
    });
    return config({
        directories: [directory(paths.kubeletPki, { mode: 0o700 })],
        files: [
            file(first, `${cert}${key}`, { mode: 0o600 }),
            file(kubeletKubeconfig(cluster), access, { mode: 0o600 }),
        ],
        links: [link(current, first)],
    });
}
