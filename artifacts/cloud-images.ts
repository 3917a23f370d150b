import type { KubernetesVersion } from "./lock";

/**
 * Images of what clusters on clouds run beside, where it is asked for. Local clusters have none of them, so nothing
 * here is fetched or built.
 *
 * Digests are those that kubernetes/k8s.io promotes to registry.k8s.io; `docs/cloud-controllers.md` says which image
 * has none, and why.
 */
export interface CloudImages {
    readonly awsCloudController: string;
    readonly digitalOceanCloudController: string;
}

/** The image names of a cluster of one Kubernetes version. */
export function cloudImagesFor(_kubernetes: KubernetesVersion): CloudImages {
    return {
        // The newest that is published: there is none of 1.36, whose tags in the source have no image.
        awsCloudController: pinned(
            "registry.k8s.io/provider-aws/cloud-controller-manager:v1.35.2",
            "5a5d4e5942ad078a184c12bf5435f8226ccb157ee15e9e1f87c183a4bf4b8f1a",
        ),
        // Docker Hub's digests are in no list that could be read here.
        digitalOceanCloudController: "docker.io/digitalocean/digitalocean-cloud-controller-manager:v0.1.71",
    };
}

function pinned(image: string, sha256: string): string {
    return `${image}@sha256:${sha256}`;
}
