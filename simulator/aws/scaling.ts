import type { Properties } from "../plugin";
import type { Account, InstanceSpec } from "./account";
import { type Launch, launch, requireSpec, terminate } from "./instances";

export interface Template {
    readonly spec: InstanceSpec;
    /** Its id and version. */
    readonly madeFrom: string;
}

/** Instances come to the zone that has the fewest; the oldest goes first. */
export async function scale(
    account: Account,
    name: string,
    { desiredCapacity, vpcZoneIdentifiers, tags, instanceRefresh }: Properties,
    { spec, madeFrom }: Template,
): Promise<void> {
    const called = (tags as { key: string; value: string }[] | undefined)?.find(({ key }) => key === "Name")?.value;
    const members = membersOf(account, name);
    const missing = Number(desiredCapacity) - members.length;
    await Promise.all(members.slice(0, Math.max(0, -missing)).map((each) => terminate(account, each)));
    const isIn = (subnet: string) =>
        members.filter((each) => account.resources.instances[each]?.subnet === subnet).length;
    const subnets = (vpcZoneIdentifiers as string[]).map((subnet) => ({ subnet, count: isIn(subnet) }));
    const places = Array.from({ length: Math.max(0, missing) }, () => {
        const emptiest = subnets.reduce((least, each) => (each.count < least.count ? each : least));
        emptiest.count++;
        return emptiest.subnet;
    });
    const made = { spec, name: called ?? name, madeBy: name, madeFrom };
    await Promise.all(places.map((subnet) => launch(account, { ...made, subnet })));
    if (instanceRefresh) await refresh(account, made);
}

/** Instances of another version go one after another, each when the next one is there: nothing waits for a warm-up. */
async function refresh(account: Account, made: Omit<Launch, "subnet"> & { readonly madeBy: string }): Promise<void> {
    for (const member of membersOf(account, made.madeBy)) {
        const { subnet, madeFrom } = account.find("instances", member);
        if (madeFrom === made.madeFrom) continue;
        await launch(account, { ...made, subnet });
        await terminate(account, member);
    }
}

interface Mixed {
    readonly launchTemplate: {
        readonly launchTemplateSpecification: { readonly launchTemplateId: string; readonly version: string };
        readonly overrides: readonly { readonly instanceType: string }[];
    };
}

/** What a group's instances are made from, by itself or by its policy, of whatever type. */
export function templateOf(account: Account, { launchTemplate, mixedInstancesPolicy }: Properties): Template {
    if (Boolean(launchTemplate) === Boolean(mixedInstancesPolicy)) {
        throw new Error("ValidationError: a group has a launch template or a mixed instances policy");
    }
    const mixed = (mixedInstancesPolicy as Mixed | undefined)?.launchTemplate;
    const own = launchTemplate as { readonly id: string; readonly version: string };
    const { launchTemplateId: id, version } = mixed?.launchTemplateSpecification ?? {
        ...own,
        launchTemplateId: own.id,
    };
    const spec = account.find("launchTemplates", id).versions[Number(version) - 1];
    if (!spec) throw new Error(`ValidationError: the version ${version} of the launch template ${id} does not exist`);
    for (const { instanceType } of mixed?.overrides ?? []) requireSpec(account, { ...spec, instanceType });
    return { spec, madeFrom: `${id}:${version}` };
}

export function membersOf(account: Account, name: string): string[] {
    const { instances } = account.resources;
    return Object.keys(instances).filter((id) => instances[id]!.madeBy === name);
}
