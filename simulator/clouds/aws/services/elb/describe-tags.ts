import type { Account } from "../../account";
import type { Tags } from "../../created";
import { type Action, readAction } from "../query/action";
import { textsOf } from "../query/params";
import { service } from "./tagged-needs";

/** The maximum number per request. */
const most = 20;

/** Tags of the resources listed in the request. */
export function describeTags(
    list: string,
    id: string,
    tagsOf: (account: Account, id: string) => Tags | undefined,
): Action {
    return readAction(`${service}:DescribeTags`, ({ account, params }) => {
        const ids = textsOf(params, list);
        if (ids.length === 0 || ids.length > most) {
            throw new Error(`ValidationError: ${list} must have 1 to ${most} members (got ${ids.length})`);
        }
        return {
            TagDescriptions: ids.map((each) => ({
                [id]: each,
                Tags: Object.entries(tagsOf(account, each) ?? {}).map(([Key, Value]) => ({ Key, Value })),
            })),
        };
    });
}
