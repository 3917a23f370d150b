import { type CloudImages, cloudImagesFor } from "../versions/cloud-images";
import { byPublishedDigest } from "../versions/image-digests";
import { imagesFor } from "../versions/images";
import type { ComponentImages } from "./model";
import type { OwnImages } from "./options";
import { versionOfImage } from "./upgrades/version";
import { invalid } from "./validate";

interface ImageOptions {
    readonly images?: Partial<OwnImages>;
    readonly imageDigests?: boolean;
    readonly cloudImages?: Partial<CloudImages>;
}

interface Versions {
    readonly kubernetes: string;
    readonly etcd: string;
}

/** Validates the options and applies the defaults: the release's images, by digest where it is known. */
export function resolveImages(options: ImageOptions, { kubernetes, etcd }: Versions): ComponentImages {
    const tagged = imagesFor(kubernetes, etcd);
    const { imageDigests = true } = options;
    const own = imageDigests ? mapImages(tagged, byPublishedDigest) : tagged;
    return {
        ...own,
        ...cloudImagesFor(kubernetes),
        ...requireCloudImages(options.cloudImages),
        ...requireImages(options.images, tagged),
    };
}

/**
 * Images of another Kubernetes version of the same cluster: those that have a version of their own are the release's.
 *
 * @param isOwn - whether it is the version that `options` are for
 */
export function imagesOfVersion(
    { images = {}, ...options }: ImageOptions,
    version: Versions,
    isOwn: boolean,
): { readonly own: OwnImages; readonly clouds: CloudImages } {
    const kept = Object.entries(images).filter(([name]) => isOwn || !versioned.includes(name as keyof OwnImages));
    const all = resolveImages({ ...options, images: Object.fromEntries(kept) }, version);
    const some = <T extends object>(names: T) =>
        Object.fromEntries(
            Object.keys(names).map((name) => [name, all[name as keyof ComponentImages]]),
        ) as unknown as T;
    return {
        own: some<OwnImages>(imagesFor(version.kubernetes, version.etcd)),
        clouds: some(cloudImagesFor(version.kubernetes)),
    };
}

/** Whether it is a full image name: with its registry, and a tag, a digest or both. */
export function isImageName(text: string): boolean {
    return reference.test(text);
}

function mapImages(images: OwnImages, each: (image: string) => string): OwnImages {
    return Object.fromEntries(
        Object.entries(images).map(([name, image]) => [name, each(image)]),
    ) as unknown as OwnImages;
}

/** Components whose image must have the cluster's version, so that an upgrade cannot leave it behind. */
const versioned: readonly (keyof OwnImages)[] = [
    "kubeApiserver",
    "kubeControllerManager",
    "kubeScheduler",
    "kubeProxy",
    "kubelet",
    "etcd",
];

/** Images that replace the release's own of the same components. */
function requireImages(images: Readonly<Partial<OwnImages>> = {}, release: OwnImages): Partial<OwnImages> {
    for (const [name, image] of entriesOf(images)) {
        const of = release[name as keyof OwnImages];
        const [, tag = ""] = /:([^:/]+)$/.exec(of) ?? [];
        const needsVersion = versioned.includes(name as keyof OwnImages);
        const isLegal = reference.test(image) && /:[\w.-]+(@|$)/.test(image);
        if (!isLegal || (needsVersion && versionOfImage(image) !== versionOfImage(of))) {
            const legal = `a full image name with ${needsVersion ? `the tag ${tag}` : "a tag"} and, to pin it, a digest`;
            throw invalid(`images.${name}`, `${legal}, such as registry.example/image:${tag}@sha256:…`, image);
        }
    }
    return Object.fromEntries(entriesOf(images));
}

const host = String.raw`[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?(?::\d+)?`;
const part = String.raw`[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*`;
/** Source: the grammar of references of distribution/reference. */
const reference = new RegExp(
    String.raw`^${host}/${part}(?:/${part})*(?:(?::\w[\w.-]{0,127})?@sha256:[0-9a-f]{64}|:\w[\w.-]{0,127})$`,
);

/** Images that replace the release's own of the cloud's controllers. */
export function requireCloudImages(images: Readonly<Partial<CloudImages>> = {}): Partial<CloudImages> {
    for (const [name, image] of entriesOf(images)) {
        if (!reference.test(image)) {
            const legal = "a full image name with a tag or a digest, such as registry.example/controller:v1.2.3";
            throw invalid(`cloudImages.${name}`, legal, image);
        }
    }
    return Object.fromEntries(entriesOf(images));
}

function entriesOf(images: object): [string, string][] {
    return Object.entries(images).filter(([, image]) => image !== undefined);
}

/**
 * The name under which containerd keeps an image that a kubelet has pulled: without the tag of one with a digest. A
 * program that pulls the same image for itself uses it too, so that it is pulled once.
 */
export function runtimeName(image: string): string {
    return image.replace(/:[^:/@]+(?=@)/, "");
}
