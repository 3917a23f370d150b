import { getAmi } from "@pulumi/aws/ec2/getAmi";
import * as pulumi from "@pulumi/pulumi";
import { whichAreKnown } from "../../pulumi/engine";
import type { AwsInstance } from "../model";
import { type Distribution, nameOfImage } from "./images";

/** Machines that boot an AMI whose id the stack remembers. */
interface BootedImage {
    /** `pool default`, or a controller's name. */
    readonly machines: string;
    readonly instance: Pick<AwsInstance, "image">;
    readonly id: pulumi.Input<string>;
    /** Name of the newest AMI of its channel, as a look-up found it. */
    readonly newest: Promise<string | undefined>;
}

/**
 * Looks up in every preview which AMIs machines boot, and warns of those that end: the stack remembers the id of one for as
 * long as its option is the same, and its publisher does not keep it for that long.
 */
export function warnOfImages(booted: readonly BootedImage[], parent: pulumi.Resource): void {
    const all = booted.map(({ machines, instance, id, newest }) =>
        pulumi.all([id, newest]).apply(([ami, name]) => useOf(machines, instance, ami, name)),
    );
    // One that is new is not known in preview, and not old.
    whichAreKnown(all).apply(async (uses) => {
        for (const use of joined(uses)) {
            const warning = describeImageEnd(use, await look(use.id, parent), Date.now());
            if (warning !== undefined) await pulumi.log.warn(warning, parent);
        }
    });
}

function useOf(machines: string, { image }: Pick<AwsInstance, "image">, id: string, newest?: string): ImageUse {
    const use = { id, asked: nameOfImage(image), machines: [machines] };
    if ("id" in image) return use;
    const { distribution, channel } = image;
    const version = /\d+(\.\d+){2,3}/.exec(newest ?? "")?.[0];
    return { ...use, distribution, ...(version && { newest: `${distribution}-${channel}-${version}` }) };
}

/** One of each AMI, with all that boots it. */
function joined(uses: readonly ImageUse[]): ImageUse[] {
    const byId = new Map<string, ImageUse>();
    for (const use of uses) {
        const { machines = [] } = byId.get(use.id) ?? {};
        byId.set(use.id, { ...use, machines: [...machines, ...use.machines] });
    }
    return [...byId.values()];
}

async function look(id: string, parent: pulumi.Resource): Promise<ImageState> {
    try {
        const filters = [{ name: "image-id", values: [id] }];
        return { seen: await getAmi({ filters, includeDeprecated: true }, { parent }) };
    } catch (error) {
        const { message } = error as Error;
        // In the provider's words.
        return /returned no results/.test(message) ? { isGone: true } : { problem: message };
    }
}

/** What EC2 says of an AMI that machines boot. */
interface SeenImage {
    readonly id: string;
    /** RFC 3339; nothing where EC2 does not say. */
    readonly creationDate?: string;
    readonly deprecationTime?: string;
}

/** What a look-up of an AMI came to. */
export type ImageState =
    | { readonly seen: SeenImage }
    | { readonly isGone: true }
    /** It could not be checked: no permission, or no network. */
    | { readonly problem: string };

export interface ImageUse {
    readonly id: string;
    /** As the option names it: `flatcar-stable`. */
    readonly asked: string;
    readonly distribution?: Distribution;
    /** What boots it: `pool default`. */
    readonly machines: readonly string[];
    /** The newest of its channel, where another one is newer. */
    readonly newest?: string;
}

const day = 24 * 3600 * 1000;

/** Days that a publisher keeps an AMI. Source: Flatcar's documentation of AWS EC2, nine months. */
const keptDays: Partial<Record<Distribution, number>> = { flatcar: 9 * 30 };

/** How long before its end an AMI is warned of: time enough for a planned change. */
const noticeDays = 45;

/** Why machines may soon not start from an AMI, or do not any more, and what to do; nothing if all is well. */
export function describeImageEnd(use: ImageUse, state: ImageState, now: number): string | undefined {
    const { id, asked } = use;
    const what = `${id} (${asked}), which ${listed(use.machines)} ${use.machines.length > 1 ? "boot" : "boots"},`;
    if ("problem" in state) return `Whether the AMI ${what} still exists was not checked: ${state.problem}`;
    if ("isGone" in state) {
        return `The AMI ${what} no longer exists: new and replaced instances do not start. ${remedy(use)}`;
    }
    const end = endOf(use, state.seen, now);
    return end && `The AMI ${what} ${end}: new and replaced instances may then no longer start. ${remedy(use)}`;
}

function endOf(
    { distribution }: ImageUse,
    { creationDate, deprecationTime }: SeenImage,
    now: number,
): string | undefined {
    const deprecated = Date.parse(deprecationTime ?? "");
    if (deprecated <= now) return `has been deprecated since ${dateOf(deprecated)}, and may be removed at any time`;
    const kept = distribution && keptDays[distribution];
    const removed = kept === undefined ? Number.NaN : Date.parse(creationDate ?? "") + kept * day;
    if (removed <= now)
        return `is older than the nine months for which Flatcar keeps AMIs, and may be removed at any time`;
    const ends = [
        { at: removed, text: "is kept by Flatcar for nine months, until about" },
        { at: deprecated, text: "will be deprecated on" },
    ];
    const soon = ends.filter(({ at }) => at - now < noticeDays * day).sort((a, b) => a.at - b.at)[0];
    return soon && `${soon.text} ${dateOf(soon.at)}`;
}

function remedy({ newest }: ImageUse): string {
    const named = newest ? `Set image to a newer one, such as ${newest}` : "Set image to a newer one";
    return `${named}; controllers boot it when madeAnew names them`;
}

function dateOf(time: number): string {
    return new Date(time).toISOString().slice(0, 10);
}

function listed(names: readonly string[]): string {
    return names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
