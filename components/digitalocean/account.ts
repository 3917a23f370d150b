import { getAccount } from "@pulumi/digitalocean/getAccount";
import { getDomain } from "@pulumi/digitalocean/getDomain";
import { getDroplets } from "@pulumi/digitalocean/getDroplets";
import { getImage } from "@pulumi/digitalocean/getImage";
import { getSizes } from "@pulumi/digitalocean/getSizes";
import { getSshKeys } from "@pulumi/digitalocean/getSshKeys";
import * as pulumi from "@pulumi/pulumi";
import type { Cluster } from "../../cluster/model";
import { delegationProblem, nameServersOf } from "../delegation";
import { knownValue } from "../pulumi/engine";
import { plainError } from "../pulumi/errors";
import { log } from "../pulumi/log";
import { LookUps } from "../pulumi/look-ups";
import { type Found, type Image, newDroplets, type Offer, problemsOf } from "./judge-account";
import type { FoundDroplet } from "./judge-names";
import type { DigitalOcean } from "./resolve";

/** What is known of the account. */
interface Existing {
    readonly droplets: Promise<readonly FoundDroplet[] | undefined>;
    /** Whether it may lack what the cluster depends on. */
    readonly mayLack: Promise<boolean>;
}

/**
 * Looks up at preview, before anything is created, whether the account has and offers what new droplets need.
 *
 * An existing cluster looks up its droplets only, so that an image or a size that DigitalOcean withdraws does not block
 * its other changes.
 *
 * @returns the region, or rejects with everything that is wrong
 */
export function checkAccount(
    cluster: Cluster,
    digitalOcean: DigitalOcean,
    existing: Existing,
    { parent }: pulumi.CustomResourceOptions,
): pulumi.Output<string> {
    const warn = (text: string) => void log.warn(text, parent);
    const check = async () => {
        const options = { parent };
        const { region, ownImage } = digitalOcean;
        const [image, ...sshKeys] = await Promise.all(
            [digitalOcean.image, ...digitalOcean.sshKeys].map((each) => knownValue(pulumi.output(each))),
        );
        const asking = digitalOceanLookUps(parent);
        const droplets = await existing.droplets;
        const changed = newDroplets(cluster, digitalOcean, droplets ?? []);
        if (changed.length === 0) return region;
        const isNew = changed.some(({ node }) => node === cluster.controllers.names[0]);
        const domain = cluster.zone.slice(cluster.name.length + 1);
        const imageOf = (id: string) => getImage(/^\d+$/.test(id) ? { id: Number(id) } : { slug: id }, options);
        const [account, sizes, foundImage, keys, hasDomain] = await Promise.all([
            asking.for(["the droplet limit", "account:read"], getAccount(options)),
            asking.for(["sizes", "sizes:read"], getSizes({}, options)),
            ownImage || image === undefined
                ? undefined
                : asking.forOne<Image>(["the image", "image:read"], imageOf(image)),
            sshKeys.length > 0 ? asking.for(["SSH keys", "ssh_key:read"], getSshKeys({}, options)) : undefined,
            isNew ? asking.forOne(["the domain", "domain:read"], getDomain({ name: domain }, options)) : undefined,
        ]);
        const isAwaited = hasDomain === "missing" && (await existing.mayLack);
        if (isAwaited) await log.info(awaitedDomain(domain), parent);
        const all: Found = {
            droplets: droplets?.length,
            dropletLimit: account?.dropletLimit,
            sizes: sizes?.sizes as readonly Offer[] | undefined,
            image: foundImage,
            sshKeys: keys?.sshKeys,
            domain: isAwaited ? undefined : hasDomain,
        };
        const problems = problemsOf({ region, image, sshKeys, domain }, changed, all);
        if (problems.length > 0) throw plainError(problems.join("\n"));
        if (all.domain) {
            const problem = delegationProblem(domain, digitalOceanDns, await nameServersOf(domain));
            if (problem !== undefined) warn(problem);
        }
        return region;
    };
    return pulumi.output(check());
}

/** For a cluster that depends on other resources, of which the domain may be one. */
function awaitedDomain(domain: string): string {
    const when = "once the resources that the cluster depends on exist";
    return `domain ${domain} was not found in the account: \`pulumi up\` looks it up again ${when}, and refuses it if it is still missing`;
}

const digitalOceanDns = {
    title: "DigitalOcean",
    nameServers: ["ns1.digitalocean.com", "ns2.digitalocean.com", "ns3.digitalocean.com"],
};

/** All droplets of the account. @returns undefined, after a warning, if they could not be looked up */
export async function findDroplets(
    asking: LookUps,
    options: pulumi.InvokeOptions,
): Promise<readonly FoundDroplet[] | undefined> {
    return (await asking.for(["droplets", "droplet:read"], getDroplets({}, options)))?.droplets;
}

/** Lookups, each with the scope of the token that permits it. */
export function digitalOceanLookUps(parent: pulumi.Resource | undefined): LookUps {
    const forbidden = (scope: string, message: string) =>
        /\b40[13]\b|not authorized|unable to authenticate/i.test(message)
            ? `the token needs the scope ${scope}`
            : undefined;
    return new LookUps({ missing: /\b404\b|not found|\bno [a-z ]+ found\b/i, forbidden }, (text) =>
        log.warn(text, parent),
    );
}
