import { isTag } from "../../rules";
import { objectsOf, type Params, type Tags, tagsOf } from "../query/params";

/** Throws for parameters that are not simulated. */
export function onlyThese(params: Params, names: readonly string[]): void {
    const other = Object.keys(params).find((name) => ![...names, "Action", "Version", "DryRun"].includes(name));
    if (other) throw new Error(`InvalidParameter: The parameter ${other} is not simulated`);
}

/** Throws for tags that no service accepts. */
export function refuseWrongTags(tags: Tags): void {
    const all = Object.entries(tags);
    if (all.length > 50) throw new Error("TagLimitExceeded: More than 50 tags specified");
    const wrong = all.find(([key, value]) => !isTag(key, value));
    if (wrong) throw new Error(`InvalidParameterValue: Tag '${wrong.join("=")}' is not valid`);
}

/** The tags that a request asks for what it creates. */
export function tagsFor(params: Params, type: "volume" | "snapshot"): Tags {
    const all = objectsOf(params, "TagSpecification").filter(({ ResourceType }) => ResourceType === type);
    return Object.assign({}, ...all.map((each) => tagsOf(each, "Tag")));
}
