import { isObject, type Properties, type Resource } from "../../plugins/protocol/serve";
import { met } from "../shared/behaviours";
import type { Inputs } from "../shared/inputs";
import type { Account } from "./account";
import type { Tags } from "./created";
import { awaitRead } from "./eventually";

/** Types whose service describes new resources late. S3 and Route 53 do not. */
const isEventual = /^aws:(ec2|ebs|vpc|iam|lb|autoscaling)\//;

interface Ways {
    readonly type: string;
    /** Whether the provider adds its default tags. */
    readonly hasTags: boolean;
    readonly defaultTags: Tags;
}

/** A type with what Pulumi's provider adds: its default tags, and the wait until a new resource is described. */
export function asInProvider(own: Resource, account: Account, { type, hasTags, defaultTags }: Ways): Resource {
    return {
        ...own,
        check: (operation) => {
            const inputs = hasTags ? withDefaultTags(operation.inputs, defaultTags) : operation.inputs;
            return own.check!({ ...operation, inputs });
        },
        async create(operation) {
            const created = await own.create(operation);
            if (!operation.preview) {
                account.appear(created.id);
                if (isEventual.test(type)) awaitRead(account, created.id);
            }
            return created;
        },
    };
}

/** Auto Scaling groups have a list of tags, which the provider leaves alone. */
export function takesTags({ tags }: Inputs): boolean {
    return tags !== undefined && !tags.legal.startsWith("a list");
}

/** Unless the resource overrides the provider's. */
function withDefaultTags(inputs: Properties, defaultTags: Tags): Properties {
    const { overrideProvider, tags = {} } = inputs;
    const isOverridden = isObject(overrideProvider) && isObject(overrideProvider.defaultTags);
    if (Object.keys(defaultTags).length === 0 || isOverridden || !isObject(tags)) return inputs;
    met("default tags");
    return { ...inputs, tags: { ...defaultTags, ...tags } };
}

/** @param given - `{"tags": {…}}` as JSON or as an object */
export function defaultTagsIn(given: unknown): Tags {
    const value = typeof given === "string" ? JSON.parse(given) : given;
    return (isObject(value) && isObject(value.tags) ? value.tags : {}) as Tags;
}
