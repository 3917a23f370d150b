import { takeFileLock } from "../../../cache/file-lock";
import type { Properties } from "../../plugins/protocol/serve";
import { met } from "../shared/behaviours";
import type { Account, AutoScalingGroup, InstanceSpec } from "./account";
import { lackOf } from "./eventually";
import { groupActions } from "./group-actions";
import { end, launch, requireMetadataTags, requireSpec, requireVcpus } from "./instances";
import { isOffered, requireOffered } from "./offers";

export interface Template {
    readonly spec: InstanceSpec;
    /** Its id and version. */
    readonly createdFrom: string;
    /** Instance types of a policy. */
    readonly types?: readonly string[];
    readonly isSpot: boolean;
}

/** Launches and terminates groups' instances under a lock, which the other process of the account respects too. */
export async function whenAlone<T>(account: Account, run: () => Promise<T>): Promise<T> {
    const release = await takeFileLock(`${account.path}.groups.lock`, () => undefined);
    try {
        return await run();
    } finally {
        release();
    }
}

/** Brings a group to its size. @param off - seconds for which instances' machines have been off, by id */
export async function scale(account: Account, name: string, off: Readonly<Record<string, number>> = {}): Promise<void> {
    const { resources } = account;
    const actions = groupActions(resources, name, off, new Date());
    await Promise.all([
        ...actions.end.map((id) => end(account, id)),
        ...actions.leave.map((id) => leave(account, name, id)),
        ...actions.launch.map((subnet) => launchIn(account, resources.autoScalingGroups[name]!, subnet)),
    ]);
}

/** Terminates an instance, or starts waiting if its group has a lifecycle hook. */
export async function leave(account: Account, group: string, id: string): Promise<void> {
    const hook = account.all("lifecycleHooks").find((each) => each.group === group);
    if (!hook) return end(account, id);
    const until = new Date(Date.now() + hook.seconds * 1000).toISOString();
    account.change("instances", id, (now) => ({ ...now, waiting: { until } }));
}

async function launchIn(account: Account, group: AutoScalingGroup, subnet: string): Promise<void> {
    const { name: createdBy, calls: name, spec, createdFrom, isSpot } = group;
    const tags = { ...spec.tags, ...group.propagated };
    const place = placeWithCapacity(account, group, subnet);
    try {
        if (!place) throw new Error(noCapacity(account, group, subnet));
        requireOffered(account, account.find("subnets", place.subnet).zone, place.instanceType);
        requireVcpus(account, place.instanceType);
        requireMetadataTags(account, { ...spec, tags });
    } catch (error) {
        // Only an activity of the group: it tries again later.
        const message = (error as Error).message.replace(/^\w+: /, "");
        account.change("autoScalingGroups", createdBy, (now) => ({
            ...now,
            failures: { ...now.failures, [`${message} Launching EC2 instance failed.`]: new Date().toISOString() },
        }));
        return;
    }
    const { instanceType } = place;
    await launch(account, {
        spec: { ...spec, instanceType, tags },
        subnet: place.subnet,
        name,
        isPublic: spec.isPublic,
        group: { createdBy, createdFrom, isSpot },
    });
}

function noCapacity(account: Account, { spec, types }: AutoScalingGroup, subnet: string): string {
    const [type = spec.instanceType] = types ?? [];
    const { zone } = account.find("subnets", subnet);
    return `We currently do not have sufficient ${type} capacity in the Availability Zone you requested (${zone}).`;
}

/** Where EC2 has capacity: a group tries its other types, and then its other zones. */
export function placeWithCapacity(
    account: Account,
    { types, spec, subnets }: AutoScalingGroup,
    desired: string,
): { readonly subnet: string; readonly instanceType: string } | undefined {
    const all = [desired, ...subnets.filter((each) => each !== desired)].flatMap((subnet) =>
        (types ?? [spec.instanceType]).map((instanceType) => ({ subnet, instanceType })),
    );
    const found = all.find(({ subnet, instanceType }) =>
        hasOne(account, account.find("subnets", subnet).zone, instanceType),
    );
    if (found !== all[0]) met("no capacity");
    return found;
}

function hasOne(account: Account, zone: string, type: string): boolean {
    return isOffered(account, zone, type) && !lackOf(account, zone, type);
}

interface Mixed {
    readonly launchTemplate: {
        readonly launchTemplateSpecification: { readonly launchTemplateId: string; readonly version: string };
        readonly overrides: readonly { readonly instanceType: string }[];
    };
    readonly instancesDistribution?: { readonly onDemandPercentageAboveBaseCapacity?: number };
}

/** What a group's instances are launched from, directly or by its policy, regardless of their type. */
export function templateOf(account: Account, { launchTemplate, mixedInstancesPolicy }: Properties): Template {
    if (Boolean(launchTemplate) === Boolean(mixedInstancesPolicy)) {
        throw new Error("ValidationError: a group has a launch template or a mixed instances policy");
    }
    const policy = mixedInstancesPolicy as Mixed | undefined;
    const mixed = policy?.launchTemplate;
    const own = launchTemplate as { readonly id: string; readonly version: string };
    const { launchTemplateId: id, version } = mixed?.launchTemplateSpecification ?? {
        ...own,
        launchTemplateId: own.id,
    };
    const spec = account.find("launchTemplates", id).versions[Number(version) - 1];
    if (!spec) throw new Error(`ValidationError: the version ${version} of the launch template ${id} does not exist`);
    const types = mixed?.overrides.map(({ instanceType }) => instanceType);
    for (const instanceType of types ?? []) requireSpec(account, { ...spec, instanceType });
    // On EC2 those of the base are on demand; here all instances of a group are of one kind.
    const { onDemandPercentageAboveBaseCapacity: onDemand = 100 } = policy?.instancesDistribution ?? {};
    return { spec, createdFrom: `${id}:${version}`, ...(types && { types }), isSpot: onDemand < 100 };
}

export function membersOf(account: Account, name: string): string[] {
    const { instances } = account.resources;
    return Object.keys(instances).filter((id) => instances[id]!.createdBy === name);
}
