import type { Properties } from "../../plugins/protocol/serve";
import { listOf, oneOf, type Rule, required, text } from "../shared/inputs";
import type { Simulated } from "../shared/simulated";
import type { Account } from "./account";
import { rebalance } from "./balancing";
import { awaitDrained, awaitProfile } from "./eventually";
import { terminate } from "./instances";
import { has, ids, is, isNumberOf, isTag, wholeNumber, yesOrNo } from "./rules";
import { membersOf, scale, templateOf, whenAlone } from "./scaling";

const isTargetGroup = /^arn:aws:elasticloadbalancing:[^:]+:\d+:targetgroup\//;

const isTemplate = (value: unknown) => /^lt-/.test(String(value));
const isVersion = (value: unknown) => /^\d+$/.test(String(value));
const isType = (value: unknown) => /^[a-z][a-z0-9-]*\.[a-z0-9-]+$/.test(String(value));
const orNothing = (isLegal: (value: unknown) => boolean) => (value: unknown) => value === undefined || isLegal(value);

function isMixed(value: unknown): boolean {
    return has(value, {
        launchTemplate: (template) =>
            has(template, {
                launchTemplateSpecification: (each) => has(each, { launchTemplateId: isTemplate, version: isVersion }),
                overrides: (types) =>
                    Array.isArray(types) &&
                    types.length > 0 &&
                    types.length <= 40 &&
                    types.every((each) => has(each, { instanceType: isType })),
            }),
        instancesDistribution: (distribution) =>
            has(distribution, {
                onDemandAllocationStrategy: is("prioritized", "lowest-price"),
                onDemandBaseCapacity: isNumberOf(0, 1000),
                onDemandPercentageAboveBaseCapacity: isNumberOf(0, 100),
                spotAllocationStrategy: is("price-capacity-optimized", "capacity-optimized"),
            }),
    });
}

function isRefresh(value: unknown): boolean {
    const isPreference = {
        minHealthyPercentage: isNumberOf(0, 100),
        maxHealthyPercentage: orNothing(isNumberOf(100, 200)),
        instanceWarmup: orNothing((seconds) => /^\d+$/.test(String(seconds))),
        skipMatching: orNothing(is(true, false)),
    };
    return has(value, {
        strategy: is("Rolling"),
        preferences: (each) => has(each, isPreference) && isSpan(each as Record<string, number>),
    });
}

/** The service requires that they differ by at most a hundred percent. */
function isSpan({
    minHealthyPercentage: least = 90,
    maxHealthyPercentage: most = 100,
}: Record<string, number>): boolean {
    return most - least <= 100;
}

const size = (more: Partial<Rule> = {}) => wholeNumber(0, 1000, more);

/** An Auto Scaling group: it launches and terminates instances on request, and then maintains their number. */
export const autoScalingGroup: Simulated<Account> = {
    inputs: {
        name: text("a group's name", /^[^:]{1,255}$/, required),
        launchTemplate: {
            legal: "a template's id and version",
            isLegal: (value: unknown) => has(value, { id: isTemplate, version: isVersion }),
        },
        mixedInstancesPolicy: {
            legal: "a template's id and version, instance types, and how many are on demand",
            isLegal: isMixed,
        },
        capacityRebalance: yesOrNo,
        instanceRefresh: {
            legal: "of the strategy Rolling, with percentages and a warm-up that the service accepts",
            isLegal: isRefresh,
        },
        vpcZoneIdentifiers: ids("subnet", required),
        minSize: size(required),
        maxSize: size(required),
        desiredCapacity: size(required),
        healthCheckType: oneOf(["EC2"]),
        targetGroupArns: listOf("ARNs of target groups", (value: unknown) => isTargetGroup.test(String(value))),
        waitForCapacityTimeout: oneOf(["0"], required),
        tags: listOf("tags that propagate to instances", (value: unknown) =>
            has(value, {
                key: (key) => isTag(key, ""),
                value: (text) => isTag("key", text),
                propagateAtLaunch: is(true, false),
            }),
        ),
    },
    outputs: ["arn", "predictedCapacity", "warmPoolSize"],
    async create(account, inputs) {
        const name = String(inputs.name);
        if (account.resources.autoScalingGroups[name]) {
            throw new Error(`AlreadyExists: AutoScalingGroup by this name already exists: ${name}`);
        }
        requireSizes(inputs);
        await change(account, name, inputs);
        return { id: name, outputs: { arn: account.arn("autoscaling", `autoScalingGroup:${name}`) } };
    },
    async update(account, name, inputs, before) {
        const isAsked = inputs.desiredCapacity !== before?.desiredCapacity;
        const decided = () => ({ ...inputs, desiredCapacity: account.find("autoScalingGroups", name).desired });
        await change(account, name, clamped(isAsked ? inputs : decided()));
        return undefined;
    },
    async delete(account, name) {
        const hadMembers = await whenAlone(account, async () => {
            const members = membersOf(account, name);
            await Promise.all(members.map((id) => terminate(account, id)));
            account.remove("autoScalingGroups", name);
            return members.length > 0;
        });
        if (hadMembers) awaitDrained(account, name);
    },
    now: (account, name) => ({ desiredCapacity: account.find("autoScalingGroups", name).desired }),
};

/**
 * Its instances are added to and removed from its target groups as they launch and terminate; existing ones are moved
 * when the target groups change.
 */
async function change(account: Account, name: string, inputs: Properties): Promise<void> {
    const { targetGroupArns = [], vpcZoneIdentifiers, desiredCapacity, capacityRebalance, instanceRefresh } = inputs;
    const targetGroups = targetGroupArns as string[];
    for (const each of targetGroups) account.find("targetGroups", each);
    const given = (inputs.tags ?? []) as { readonly key: string; readonly value: string; propagateAtLaunch: boolean }[];
    const asTags = (some: typeof given) => Object.fromEntries(some.map(({ key, value }) => [key, value]));
    const tags = asTags(given);
    const group = {
        name,
        targetGroups,
        least: Number(inputs.minSize),
        most: Number(inputs.maxSize),
        desired: Number(desiredCapacity),
        tags,
        propagated: asTags(given.filter(({ propagateAtLaunch }) => propagateAtLaunch)),
        subnets: vpcZoneIdentifiers as string[],
        calls: tags.Name ?? name,
        rebalances: capacityRebalance === true,
        ...(instanceRefresh !== undefined && { warmupSeconds: warmupOf(instanceRefresh) }),
        ...templateOf(account, inputs),
    };
    const { profile } = group.spec;
    const refusal = `ValidationError: You must use a valid fully-formed launch template. Value (${profile}) for parameter iamInstanceProfile.name is invalid. Invalid IAM Instance Profile name`;
    awaitProfile(account, profile, refusal);
    await whenAlone(account, async () => {
        account.put("autoScalingGroups", name, group);
        await scale(account, name);
    });
    await rebalance(account);
}

function warmupOf(refresh: unknown): number {
    return Number((refresh as { readonly preferences?: Properties }).preferences?.instanceWarmup ?? 0);
}

/**
 * The number of instances stays what something else set, unless a new one is requested; a new minimum or maximum clamps
 * it.
 */
function clamped(inputs: Properties): Properties {
    const [least, most, desired] = [inputs.minSize, inputs.maxSize, inputs.desiredCapacity].map(Number);
    return { ...inputs, desiredCapacity: Math.min(Math.max(desired!, least!), most!) };
}

function requireSizes({ minSize, maxSize, desiredCapacity }: Properties): void {
    const [least, most, desired] = [minSize, maxSize, desiredCapacity].map(Number);
    if (least! > desired! || desired! > most!) {
        throw new Error(`ValidationError: Desired capacity:${desired} must be between ${least} and ${most}`);
    }
}
