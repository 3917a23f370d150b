import type { KubernetesVersion } from ".";

/**
 * Images that clusters on clouds run in addition, on request. Local clusters have none of them, so nothing here is
 * fetched or built.
 *
 * Digests are those that kubernetes/k8s.io promotes to registry.k8s.io; `docs/cloud-controllers.md` says which image
 * has none, and why.
 */
export interface CloudImages {
    readonly awsCloudController: string;
    readonly digitalOceanCloudController: string;
    readonly awsCsiDriver: string;
    readonly digitalOceanCsiDriver: string;
    readonly clusterAutoscaler: string;
    readonly csiProvisioner: string;
    readonly csiAttacher: string;
    readonly csiResizer: string;
    readonly csiNodeDriverRegistrar: string;
    readonly csiLivenessProbe: string;
    readonly csiSnapshotter: string;
    readonly snapshotController: string;
}

/** The image names of a cluster of one Kubernetes version. */
export function cloudImagesFor(kubernetes: string): CloudImages {
    return {
        // The newest published one: tags of 1.36 exist in the source but have no image, and none of 1.37 was found.
        awsCloudController: pinned(
            "registry.k8s.io/provider-aws/cloud-controller-manager:v1.35.2",
            "5a5d4e5942ad078a184c12bf5435f8226ccb157ee15e9e1f87c183a4bf4b8f1a",
        ),
        // Docker Hub's digests are not in any list that was accessible when this was written.
        digitalOceanCloudController: "docker.io/digitalocean/digitalocean-cloud-controller-manager:v0.1.68",
        awsCsiDriver: pinned(
            "registry.k8s.io/provider-aws/aws-ebs-csi-driver:v1.63.1",
            "150de06f37bd1bc2ae09e311029edb4a14889b215f59ca3d4ba4e37f4668e867",
        ),
        digitalOceanCsiDriver: "docker.io/digitalocean/do-csi-plugin:v4.16.0",
        clusterAutoscaler: `registry.k8s.io/autoscaling/cluster-autoscaler:v${autoscalerFor(kubernetes)}`,
        csiProvisioner: pinned(
            "registry.k8s.io/sig-storage/csi-provisioner:v6.0.0",
            "0c537015fe9cf9d53d79d0181e17a78ee784303cd46bf957016605488f212327",
        ),
        csiAttacher: pinned(
            "registry.k8s.io/sig-storage/csi-attacher:v4.10.0",
            "be59d0556508d3dd419cc34c53062f170a28902ef36e832b947c7796458a083d",
        ),
        csiResizer: pinned(
            "registry.k8s.io/sig-storage/csi-resizer:v2.0.0",
            "4a95d94e57ad82f6977cd8d4fdcfcfc0b83f02d990e4e7715b688c20970a906d",
        ),
        csiNodeDriverRegistrar: pinned(
            "registry.k8s.io/sig-storage/csi-node-driver-registrar:v2.15.0",
            "11f199f6bec47403b03cb49c79a41f445884b213b382582a60710b8c6fdc316a",
        ),
        csiLivenessProbe: pinned(
            "registry.k8s.io/sig-storage/livenessprobe:v2.17.0",
            "9b75b9ade162136291d5e8f13a1dfc3dec71ee61419b1bfc112e0796ff8a6aa9",
        ),
        csiSnapshotter: pinned(
            "registry.k8s.io/sig-storage/csi-snapshotter:v8.4.0",
            "c7e0a3718832b6197ce8b29fefb3fed3d84f4fbcdf08f4606140dbec2566501d",
        ),
        snapshotController: pinned(
            "registry.k8s.io/sig-storage/snapshot-controller:v8.4.0",
            "b845f4bbc34d70bd84e92f8021f47704df1de3dbabbd8289969651360b39d605",
        ),
    };
}

/** By minor version of Kubernetes: each release of cluster-autoscaler is made for one. */
const autoscalers = {
    // The newest one whose image is known to be published. kops, too, runs the newest it knows with a newer Kubernetes.
    "1.37": "1.36.1",
    "1.36": "1.36.1",
    "1.35": "1.35.2",
    "1.34": "1.34.4",
} as const satisfies Record<MinorOf<KubernetesVersion>, string>;

type MinorOf<Version extends string> = Version extends `${infer Major}.${infer Minor}.${string}`
    ? `${Major}.${Minor}`
    : never;

function autoscalerFor(kubernetes: string): string {
    const known: Readonly<Record<string, string>> = autoscalers;
    const found = known[kubernetes.split(".", 2).join(".")];
    if (found === undefined) throw new Error(`no cluster-autoscaler is known for Kubernetes ${kubernetes}`);
    return found;
}

function pinned(image: string, sha256: string): string {
    return `${image}@sha256:${sha256}`;
}
