import { tooOldFlatcar } from "../../cluster/machines/flatcar";
import type { Cluster } from "../../cluster/model";
import type { DigitalOcean } from "./resolve";

/** A droplet to be created. */
export interface NewDroplet {
    readonly node: string;
    /** The option that its size comes from. */
    readonly option: string;
    readonly size: string;
    /** Its droplet, if it exists and only gets another size. @default none */
    readonly resized?: Pick<ExistingDroplet, "size" | "disk">;
}

/** A size that DigitalOcean has. */
export interface Offer {
    readonly slug: string;
    readonly available: boolean;
    readonly regions: readonly string[];
    readonly vcpus: number;
    /** Unit: MiB. */
    readonly memory: number;
    /** Unit: GB. */
    readonly disk: number;
}

export interface Image {
    readonly name: string;
    readonly regions: readonly string[];
    readonly status: string;
    /** Unit: GB. */
    readonly minDiskSize: number;
}

/** What was found in the account. Without a value if it could not be looked up. */
export interface Found {
    /** How many exist. */
    readonly droplets?: number;
    readonly dropletLimit?: number;
    readonly sizes?: readonly Offer[];
    readonly image?: Image | "missing";
    readonly sshKeys?: readonly { readonly id: number; readonly name: string; readonly fingerprint: string }[];
    readonly domain?: unknown;
}

interface ExistingDroplet {
    readonly name: string;
    readonly size: string;
    /** Unit: GB. */
    readonly disk: number;
    readonly tags: readonly string[];
}

/** Droplets of a cluster that do not exist yet, are to be replaced, or have another size. */
export function newDroplets(
    cluster: Cluster,
    { sizes, recreate }: Pick<DigitalOcean, "sizes" | "recreate">,
    existing: readonly ExistingDroplet[],
): NewDroplet[] {
    const own = new Map(existing.flatMap((each) => (each.tags.includes(cluster.name) ? [[each.name, each]] : [])));
    const of = (nodes: readonly string[], option: string, size: string) =>
        nodes.flatMap((node) => {
            const there = own.get(node);
            const isKept = there !== undefined && !recreate.includes(node);
            if (isKept && there.size === size) return [];
            return [{ node, option, size, ...(isKept && { resized: there }) }];
        });
    return [
        ...of(cluster.controllers.names, "controllers.size", sizes.controller!),
        ...cluster.workerPools.flatMap(({ name, nodes }, index) =>
            of(nodes, `workerPools[${index}].size`, sizes[name]!),
        ),
    ];
}

/** What new droplets need, as far as it is known. */
interface Needed extends Pick<DigitalOcean, "region"> {
    readonly image?: string;
    readonly sshKeys: readonly (string | undefined)[];
    readonly domain: string;
}

/** Everything that would keep the service from creating droplets, as far as it is known. */
export function problemsOf(needed: Needed, droplets: readonly NewDroplet[], found: Found): string[] {
    const created = droplets.filter(({ resized }) => resized === undefined);
    const creates = created.length > 0;
    return [
        ...(found.domain === "missing" ? [missingDomain(needed.domain)] : []),
        ...(creates ? imageProblems(needed, found.image) : []),
        ...sizeProblems(needed, droplets, found),
        ...diskProblems(droplets, found),
        ...(creates ? keyProblems(needed.sshKeys, found.sshKeys) : []),
        ...limitProblems(created.length, found),
    ];
}

function missingDomain(domain: string): string {
    return `domain must be a domain of the account (got ${domain}): to add it, doctl compute domain create ${domain}`;
}

function imageProblems({ region, image }: Needed, found: Image | "missing" | undefined): string[] {
    if (found === undefined || image === undefined) return [];
    const must = (legal: string, what: string, how = "") => [`image must be ${legal} (got ${image}${what})${how}`];
    if (found === "missing") {
        const list = /^\d+$/.test(image) ? "list-user" : "list-distribution";
        return must("an image that DigitalOcean or the account has", "", `: doctl compute image ${list} shows them`);
    }
    const what = `, ${found.name}`;
    const version = /flatcar/i.test(found.name) ? /\d+(\.\d+){2,3}/.exec(found.name)?.[0] : undefined;
    const old = version === undefined ? undefined : tooOldFlatcar(version);
    if (old !== undefined) return must(old, what);
    if (found.status !== "available") return must("available", `${what}, which is ${found.status}`);
    if (found.regions.includes(region)) return [];
    const move = `doctl compute image-action transfer ${image} --region ${region}`;
    const how = /^\d+$/.test(image) ? `: ${move}` : "";
    return must(`available in ${region}`, `${what}, which is in ${found.regions.join(", ") || "no region"}`, how);
}

function sizeProblems({ region }: Needed, droplets: readonly NewDroplet[], { sizes, image }: Found): string[] {
    if (!sizes) return [];
    const offered = sizes.filter((each) => each.available && each.regions.includes(region));
    const byOption = new Map(droplets.map((each) => [each.option, each]));
    const least = image && image !== "missing" ? image.minDiskSize : 0;
    return [...byOption.values()].flatMap(({ option, size, resized }) => {
        const there = offered.find(({ slug }) => slug === size);
        if (there && (resized || there.disk >= least)) return [];
        const legal = there
            ? `a size with a disk of at least ${least} GB, which the image needs`
            : `a size in ${region}`;
        const known = sizes.find(({ slug }) => slug === size);
        const elsewhere = sizes.find(({ slug, available }) => slug === size && available)?.regions.join(", ");
        const why = there
            ? ` with ${there.disk} GB`
            : elsewhere
              ? `, which is in ${elsewhere}`
              : known
                ? ", sold out"
                : "";
        const near = nearest(size, known, there ? offered.filter(({ disk }) => disk >= least) : offered);
        return [`${option} must be ${legal}, such as ${near.join(", ") || "none at present"} (got ${size}${why})`];
    });
}

/**
 * A droplet's disk cannot become smaller: DigitalOcean would cut its power, refuse the size, and leave the stack with a
 * size that the droplet does not have.
 */
function diskProblems(droplets: readonly NewDroplet[], { sizes = [] }: Found): string[] {
    return droplets.flatMap(({ node, option, size, resized }) => {
        const disk = sizes.find(({ slug }) => slug === size)?.disk;
        if (!resized || disk === undefined || disk >= resized.disk) return [];
        const how = `choose a size with such a disk, or list ${node} in recreate`;
        return [
            `${option} must be a size with a disk of at least ${resized.disk} GB, which ${node} has with ${resized.size} (got ${size} with ${disk} GB): ${how}`,
        ];
    });
}

/** The three sizes that are most like another one. */
function nearest(size: string, known: Offer | undefined, offered: readonly Offer[]): string[] {
    const [, vcpus = "1", gigabytes = "1"] = /(\d+)vcpu-(\d+)gb/.exec(size) ?? [];
    const goal = known ?? { vcpus: Number(vcpus), memory: Number(gigabytes) * 1024 };
    const kind = size.split("-")[0];
    const distance = (each: Offer) =>
        Math.abs(Math.log2(each.vcpus / goal.vcpus)) +
        Math.abs(Math.log2(each.memory / goal.memory)) +
        (each.slug.split("-")[0] === kind ? 0 : 0.5);
    return [...offered]
        .sort((a, b) => distance(a) - distance(b) || a.slug.length - b.slug.length || a.slug.localeCompare(b.slug))
        .slice(0, 3)
        .map(({ slug }) => slug);
}

function keyProblems(needed: Needed["sshKeys"], found: Found["sshKeys"]): string[] {
    if (!found) return [];
    const has = found.slice(0, 5).map(({ id, name }) => `${id} (${name})`);
    const those =
        has.length > 0 ? `which has ${has.join(", ")}` : "which has none: doctl compute ssh-key import adds one";
    return needed.flatMap((key, index) => {
        if (key === undefined) return [];
        if (found.some(({ id, fingerprint }) => String(id) === key || fingerprint === key)) return [];
        return [`sshKeys[${index}] must be a key of the account, ${those} (got ${key})`];
    });
}

function limitProblems(more: number, { droplets, dropletLimit }: Found): string[] {
    if (more === 0 || droplets === undefined || dropletLimit === undefined || droplets + more <= dropletLimit)
        return [];
    const exist = `${droplets} exist and ${more} are to be created`;
    return [
        `the account's droplet limit must be at least ${droplets + more}, ${exist} (got ${dropletLimit}): request a higher one from DigitalOcean, or choose fewer nodes`,
    ];
}
