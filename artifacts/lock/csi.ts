import { versions } from "../../versions";
import type { Part } from "../part";
import { goPart } from "./go-part";

/** The driver of EBS volumes, which works in a simulated AWS. Always built, as its image is not available. */
export const awsCsiDriver = goPart("aws-csi-driver", versions.awsCsiDriver, {
    module: "github.com/kubernetes-sigs/aws-ebs-csi-driver",
    binaries: { "aws-ebs-csi-driver": "github.com/kubernetes-sigs/aws-ebs-csi-driver/cmd" },
    ldflags: [`-X github.com/kubernetes-sigs/aws-ebs-csi-driver/pkg/driver.driverVersion=v${versions.awsCsiDriver}`],
});

/**
 * The sidecar that creates and deletes volumes. The pinned version is not available as a Go module, nor are those of
 * the next two.
 */
export const csiProvisioner = sidecar("provisioner", versions.csiProvisioner);

/** The sidecar that attaches and detaches volumes. */
export const csiAttacher = sidecar("attacher", versions.csiAttacher);

/** The sidecar that resizes volumes. */
export const csiResizer = sidecar("resizer", versions.csiResizer);

/** The sidecar that takes and deletes snapshots, and the controller that binds them to claims' snapshots. */
export const csiSnapshotter = sidecar("snapshotter", versions.csiSnapshotter, ["snapshot-controller"]);

/** @param others - programs of the same module. @default none */
function sidecar(what: string, version: string, others: readonly string[] = []): Part {
    const module = `github.com/kubernetes-csi/external-${what}/v${version.split(".")[0]}`;
    return {
        name: `csi-${what}`,
        version,
        licence: "Apache-2.0",
        homepage: `https://github.com/kubernetes-csi/external-${what}`,
        go: {
            folder: `csi-${what}`,
            module: `${module}@v${version}`,
            binaries: Object.fromEntries([`csi-${what}`, ...others].map((name) => [name, `${module}/cmd/${name}`])),
            ldflags: [`-X main.version=v${version}`],
        },
    };
}

/** Our replacements of csi-node-driver-registrar and livenessprobe, no version of which is available as a Go module. */
export const csiStandIns = goPart("csi-stand-ins", versions.csiSpecification, {
    module: "github.com/container-storage-interface/spec",
    binaries: {
        "registrar-stand-in": "tradewind/csi-stand-ins/registrar",
        "liveness-stand-in": "tradewind/csi-stand-ins/liveness",
    },
    sources: ["driver/driver.go", "liveness/main.go", "registrar/main.go"],
});
