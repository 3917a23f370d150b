import type { ClusterSteps, OwnedStep } from "./clusters";
import { differences } from "./differences";
import type { MachineChange } from "./machine-changes";
import { groupsOf } from "./machines";
import { at } from "./workloads";

/** What becomes of pools whose machines a cloud makes. */
export function groupChanges(cluster: ClusterSteps): MachineChange[] {
    return groupsOf(cluster).flatMap(changesOf);
}

/** Groups whose machines the cloud makes anew. */
export function refreshedGroups(cluster: ClusterSteps): string[] {
    const isRefreshed = (step: OwnedStep) =>
        step.operation === "update" && at(step.new, "instanceRefresh") !== undefined && hasOtherTemplate(step);
    return groupsOf(cluster)
        .filter(isRefreshed)
        .map(({ name }) => name);
}

function changesOf(step: OwnedStep): MachineChange[] {
    const { operation, name } = step;
    if (operation === "same") return [];
    if (operation === "create") return [{ name, change: "a pool that comes", cost: "none" }];
    if (operation === "delete") return [{ name, change: "a pool that goes", cost: costOfFewer }];
    if (operation === "replace") return [{ name, change: "a pool that is made anew", cost: costOfFewer }];
    return [...sizeChange(step), ...(hasOtherTemplate(step) ? [{ name, ...templateChange(step) }] : [])];
}

/** As docs/aws.md has it. */
const costOfEnd = "end within 50 seconds, whatever disruption budgets say";
const costOfFewer = `pods of those that go ${costOfEnd}`;

function sizeChange({ name, old, new: coming }: OwnedStep): MachineChange[] {
    const [before, after] = [old, coming].map((values) => at(values, "desiredCapacity"));
    if (before === after || typeof after !== "number") return [];
    return [
        { name, change: `${before} machines become ${after}`, cost: Number(before) > after ? costOfFewer : "none" },
    ];
}

function hasOtherTemplate({ old, new: coming }: OwnedStep): boolean {
    const keys = ["launchTemplate", "mixedInstancesPolicy"];
    return keys.some((key) => differences(old?.[key], coming?.[key]).length > 0);
}

function templateChange({ new: values }: OwnedStep): Pick<MachineChange, "change" | "cost"> {
    const preferences = at(values, "instanceRefresh", "preferences");
    if (preferences === undefined) {
        return {
            change: "another launch template",
            cost: "none: its machines stay as they are, those that come later boot with it",
        };
    }
    const [least, most] = ["minHealthyPercentage", "maxHealthyPercentage"].map((key) => at(preferences, key));
    return {
        change: `its ${at(values, "desiredCapacity")} machines are made anew, after all else`,
        cost: `${least} to ${most} % of them are in service meanwhile; pods of those that go ${costOfEnd}`,
    };
}
