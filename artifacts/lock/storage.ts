import { versions } from "../../versions";
import { goPart } from "./go-part";

/** Creates volumes of local clusters. Always built: its project publishes only images. */
export const localPathProvisioner = goPart("local-path-provisioner", versions.localPathProvisioner, {
    module: "github.com/rancher/local-path-provisioner",
    ldflags: [`-X main.VERSION=v${versions.localPathProvisioner}`],
});
