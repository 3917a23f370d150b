import { CustomImage } from "@pulumi/digitalocean/customImage";
import type * as pulumi from "@pulumi/pulumi";
import { tooOldFlatcar } from "../../cluster/machines/flatcar";
import { conflictsWith, invalid, requireMatch, requireOneOf } from "../../cluster/validate";
import type { DigitalOceanImageOptions } from "./options";

/** An image that the stack imports: validated, with all defaults applied. */
export interface ImportedImage {
    readonly version: string;
    readonly url: string;
    readonly distribution: string;
}

/** Names by which DigitalOcean's API knows distributions. Source: its "Create a custom image". */
const distributions = [
    ...["Arch Linux", "CentOS", "CoreOS", "Debian", "Fedora", "Fedora Atomic", "FreeBSD", "Gentoo", "openSUSE"],
    ...["RancherOS", "Rocky Linux", "Ubuntu", "Unknown"],
];

/** File names of images that DigitalOcean can import. */
const importable = /^https?:\/\/\S+\.(img|raw|bin|qcow2|vhdx|vdi|vmdk)(\.gz|\.bz2)?$/;

/** Throws `importedImage... must be <legal> (got <value>)`. */
export function requireImportedImage({ version, url, channel, distribution }: DigitalOceanImageOptions): ImportedImage {
    requireMatch("importedImage.version", /^[0-9][0-9A-Za-z.+_-]{0,63}$/, "a version, such as 4593.2.1", version);
    if (url === undefined) {
        const of = requireOneOf("importedImage.channel", ["stable", "lts", "beta", "alpha"], channel ?? "stable");
        const release = `https://${of}.release.flatcar-linux.net/amd64-usr/${version}`;
        const file = `${release}/flatcar_production_digitalocean_image.bin.bz2`;
        return requireBootable({ version, url: file, distribution: requireDistribution(distribution ?? "CoreOS") });
    }
    if (channel !== undefined) throw conflictsWith("importedImage.channel", "importedImage.url", channel);
    const filled = url.replaceAll("{version}", version);
    const legal = "the URL of a .img, .raw, .bin, .qcow2, .vhdx, .vdi or .vmdk file, which may end in .gz or .bz2";
    requireMatch("importedImage.url", importable, legal, filled);
    return requireBootable({ version, url: filled, distribution: requireDistribution(distribution ?? "Unknown") });
}

function requireBootable(image: ImportedImage): ImportedImage {
    const problem = /flatcar/i.test(image.url) ? tooOldFlatcar(image.version) : undefined;
    if (problem !== undefined) throw invalid("importedImage.version", problem, image.version);
    return image;
}

function requireDistribution(distribution: string): string {
    return requireOneOf("importedImage.distribution", distributions, distribution);
}

/** Imports the image into the cluster's region. Another version is another image; droplets that booted an earlier one keep running. */
export function createImage(
    cluster: string,
    { region, ownImage }: { readonly region: string; readonly ownImage: ImportedImage },
    opts: pulumi.CustomResourceOptions,
): pulumi.Output<string> {
    const { version, url, distribution } = ownImage;
    const description = `imported by the Tradewind cluster ${cluster}`;
    const args = { name: `${cluster}-${version}`, url, distribution, regions: [region], description };
    const image = new CustomImage(`${cluster}-image`, args, opts);
    return image.imageId.apply(String);
}
