import type { CloudImages } from "../../artifacts/cloud-images";
import { invalid } from "./validate";

const host = String.raw`[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?(?::\d+)?`;
const part = String.raw`[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*`;
/** Source: the grammar of references of distribution/reference. */
const reference = new RegExp(
    String.raw`^${host}/${part}(?:/${part})*(?:(?::\w[\w.-]{0,127})?@sha256:[0-9a-f]{64}|:\w[\w.-]{0,127})$`,
);

/** The images that are given in the place of the release's own. */
export function requireCloudImages(images: Readonly<Partial<CloudImages>> = {}): Partial<CloudImages> {
    for (const [name, image] of Object.entries(images)) {
        if (image !== undefined && !reference.test(image)) {
            const legal = "an image's full name with a tag or a digest, such as registry.example/controller:v1.2.3";
            throw invalid(`cloudImages.${name}`, legal, image);
        }
    }
    return Object.fromEntries(Object.entries(images).filter(([, image]) => image !== undefined));
}
