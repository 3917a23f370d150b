import { versions } from "../versions";
import type { Layer } from "./layer";
import { base, PATH } from "./layers";
import { testParts } from "./lock";
import type { Part } from "./part";
import { itemId } from "./part-items";
import { program, type Recipe } from "./recipes";

/** The group of images that only tests run. */
export const testImages = "test-images";

/** The subgroup of images of the volume driver, which take minutes to build. */
export const volumeImages = "volume-images";

/** The subgroup of kube-apiservers with a fault. */
export const faultyImages = "faulty-images";

/**
 * The cached certificate of the CA of simulated clouds. `simulator/clouds/services/authority.ts` creates it and must
 * have run before an image that trusts it is built.
 */
const simulatedAuthority = "simulated-authority/ca.pem";

const { awsCloudController, clusterAutoscaler } = testParts;

/** AWS' cloud controller as built here: no official image has its tag. */
export const builtAwsCloudController = `registry.k8s.io/provider-aws/cloud-controller-manager:v${awsCloudController.version}`;

/** cluster-autoscaler as built here. */
export const builtClusterAutoscaler = `registry.k8s.io/autoscaling/cluster-autoscaler:v${clusterAutoscaler.version}`;

/** The images that only tests run, by group: they trust a simulated cloud's CA in addition to the usual ones. */
export function testRecipes(): Readonly<Record<string, readonly Recipe[]>> {
    const trusting: Layer = { binaries: { "/etc/ssl/certs/simulated-authority.pem": simulatedAuthority } };
    return {
        [testImages]: controllerRecipes(trusting),
        [volumeImages]: volumeRecipes(trusting),
        [faultyImages]: faultyRecipes(),
    };
}

/**
 * How long after its start each fault begins. While a new server refuses the write that says it is ready, the earlier one
 * stays; 45 seconds later it is the only one.
 */
const faults = {
    slow: "0s",
    "refuse-writes": "0s",
    "forbid-writes": "0s",
    "refuse-writes-later": "45s",
    "leak-watches": "0s",
} as const;

export type Fault = keyof typeof faults;

export const faultNames = Object.keys(faults) as readonly Fault[];

/** The kube-apiserver of the default version with a fault. */
export function faultyImage(fault: Fault): string {
    return `registry.k8s.io/faulty/kube-apiserver-${fault}:v${versions.kubernetes}`;
}

function faultyRecipes(): Recipe[] {
    const { faultyApiserver } = testParts;
    return faultNames.map((fault) => ({
        image: faultyImage(fault),
        needs: [itemId(faultyApiserver, "faulty-apiserver")],
        layers: [base, program(faultyApiserver, "faulty-apiserver", "/usr/local/bin/kube-apiserver")],
        config: { Env: [PATH, `FAULT=${fault.replace("-later", "")}`, `FAULT_AFTER=${faults[fault]}`] },
    }));
}

function controllerRecipes(trusting: Layer): Recipe[] {
    const name = "aws-cloud-controller-manager";
    return [
        {
            image: builtAwsCloudController,
            needs: [itemId(awsCloudController, name)],
            layers: [base, trusting, program(awsCloudController, name, `/usr/bin/${name}`)],
            config: { Entrypoint: [`/bin/${name}`], Env: [PATH] },
        },
        {
            image: builtClusterAutoscaler,
            needs: [itemId(clusterAutoscaler, "cluster-autoscaler")],
            // Its official image has it at this path, too.
            layers: [base, trusting, program(clusterAutoscaler, "cluster-autoscaler", "/cluster-autoscaler")],
            config: { Cmd: ["/cluster-autoscaler"], Env: [PATH], WorkingDir: "/" },
        },
    ];
}

const { awsCsiDriver, csiProvisioner, csiAttacher, csiResizer, csiSnapshotter, csiStandIns } = testParts;

/** The images of AWS' volume driver as built here, by their keys in the configuration's `cloudImages`. */
export const builtVolumeImages = {
    awsCsiDriver: `registry.k8s.io/provider-aws/aws-ebs-csi-driver:v${awsCsiDriver.version}`,
    csiProvisioner: `registry.k8s.io/sig-storage/csi-provisioner:v${csiProvisioner.version}`,
    csiAttacher: `registry.k8s.io/sig-storage/csi-attacher:v${csiAttacher.version}`,
    csiResizer: `registry.k8s.io/sig-storage/csi-resizer:v${csiResizer.version}`,
    csiSnapshotter: `registry.k8s.io/sig-storage/csi-snapshotter:v${csiSnapshotter.version}`,
    snapshotController: `registry.k8s.io/sig-storage/snapshot-controller:v${csiSnapshotter.version}`,
    // Differ from the images published under these names.
    csiNodeDriverRegistrar: "registry.k8s.io/sig-storage/csi-node-driver-registrar:stand-in",
    csiLivenessProbe: "registry.k8s.io/sig-storage/livenessprobe:stand-in",
} as const;

/**
 * Programs that the driver runs to create, check, mount and grow file systems; those for xfs are not in the Debian
 * root.
 */
const fileSystems: Layer = {
    programs: [
        ...["blkid", "blockdev", "dumpe2fs", "fsck", "fsck.ext4", "mkfs.ext4", "resize2fs"].map(sbin),
        ...["lsblk", "mount", "umount"].map((name) => `/usr/bin/${name}`),
    ],
    paths: ["/etc/mke2fs.conf"],
};

function sbin(name: string): string {
    return `/usr/sbin/${name}`;
}

/** @param trusting - the layer with the simulated cloud's CA */
export function volumeRecipes(trusting: Layer): Recipe[] {
    const sidecar = (image: string, part: Part, name: string): Recipe => ({
        image,
        needs: [itemId(part, name)],
        layers: [base, program(part, name, `/${name}`)],
        config: { Entrypoint: [`/${name}`], Env: [PATH], WorkingDir: "/" },
    });
    const driver = "aws-ebs-csi-driver";
    return [
        {
            image: builtVolumeImages.awsCsiDriver,
            needs: [itemId(awsCsiDriver, driver)],
            // Its path in the official image.
            layers: [base, trusting, fileSystems, program(awsCsiDriver, driver, `/usr/bin/${driver}`)],
            config: { Entrypoint: [`/bin/${driver}`], Env: [PATH], WorkingDir: "/" },
        },
        sidecar(builtVolumeImages.csiProvisioner, csiProvisioner, "csi-provisioner"),
        sidecar(builtVolumeImages.csiAttacher, csiAttacher, "csi-attacher"),
        sidecar(builtVolumeImages.csiResizer, csiResizer, "csi-resizer"),
        sidecar(builtVolumeImages.csiSnapshotter, csiSnapshotter, "csi-snapshotter"),
        sidecar(builtVolumeImages.snapshotController, csiSnapshotter, "snapshot-controller"),
        sidecar(builtVolumeImages.csiNodeDriverRegistrar, csiStandIns, "registrar-stand-in"),
        sidecar(builtVolumeImages.csiLivenessProbe, csiStandIns, "liveness-stand-in"),
    ];
}
