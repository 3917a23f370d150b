import { versions } from "../../versions";
import type { Part } from "../part";

/** Creates volumes of local clusters. Always built: its project publishes only images. */
export const localPathProvisioner: Part = {
    name: "local-path-provisioner",
    version: versions.localPathProvisioner,
    licence: "Apache-2.0",
    homepage: "https://github.com/rancher/local-path-provisioner",
    go: {
        folder: "local-path-provisioner",
        module: `github.com/rancher/local-path-provisioner@v${versions.localPathProvisioner}`,
        binaries: { "local-path-provisioner": "github.com/rancher/local-path-provisioner" },
        ldflags: [`-X main.VERSION=v${versions.localPathProvisioner}`],
    },
};
