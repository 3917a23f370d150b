import { type Config, config, file, merge } from "../../ignition";
import type { Download } from "./downloads";
import { fetchScript, fetchTool } from "./fetch";
import { paths } from "./paths";

const script = `#!/bin/sh
# Runs the kubelet that ${paths.kubeletVersion} names, fetching it first if it is not here.
# Earlier versions stay, so that going back needs no network.
set -eu
. ${paths.kubeletVersion}
kubelet=${paths.kubelets}/$KUBELET_VERSION/kubelet
# shellcheck disable=SC2086 # a list of URLs
${fetchScript} "$kubelet" "$KUBELET_SHA256" $KUBELET_URLS
chmod 0755 "$kubelet"
exec "$kubelet" "$@"
`;

/** The launcher of the kubelet, and the file that says which version it launches. */
export function kubeletWrapper(version: string, { urls, sha256 }: Download): Config {
    const env = `KUBELET_VERSION=${version}\nKUBELET_SHA256=${sha256}\nKUBELET_URLS="${urls.join(" ")}"\n`;
    const own = config({
        files: [
            file(`${paths.bin}/kubelet-wrapper`, script, { mode: 0o755 }),
            file(paths.kubeletVersion, env, { mode: 0o644 }),
        ],
    });
    return merge(fetchTool(), own);
}
