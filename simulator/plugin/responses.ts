import * as rpc from "@pulumi/pulumi/proto/provider_pb";
import { type Change, type Diff, topLevel } from "./diff";
import type { Failure } from "./provider";
import type { Properties } from "./values";
import { encode } from "./wire";

const { Kind } = rpc.PropertyDiff;
const KINDS = { add: Kind.ADD, delete: Kind.DELETE, update: Kind.UPDATE };
const REPLACING_KINDS = { add: Kind.ADD_REPLACE, delete: Kind.DELETE_REPLACE, update: Kind.UPDATE_REPLACE };

export function checkResponse({ inputs, failures = [] }: { inputs: Properties; failures?: Failure[] }) {
    const response = new rpc.CheckResponse().setInputs(encode(inputs));
    for (const { property, reason } of failures) {
        response.addFailures(new rpc.CheckFailure().setProperty(property).setReason(reason));
    }
    return response;
}

export function diffResponse({ changes, deleteBeforeReplace = false, isOfOutputs = false }: Diff): rpc.DiffResponse {
    const { DIFF_NONE, DIFF_SOME } = rpc.DiffResponse.DiffChanges;
    const paths = Object.keys(changes);
    const response = new rpc.DiffResponse()
        .setChanges(paths.length ? DIFF_SOME : DIFF_NONE)
        .setDiffsList([...new Set(paths.map(topLevel))])
        .setReplacesList([...new Set(paths.filter((path) => changes[path].replace).map(topLevel))])
        .setDeletebeforereplace(deleteBeforeReplace)
        .setHasdetaileddiff(true);
    for (const path of paths) response.getDetaileddiffMap().set(path, propertyDiff(changes[path], !isOfOutputs));
    return response;
}

function propertyDiff({ kind, replace }: Change, isOfInputs: boolean): rpc.PropertyDiff {
    return new rpc.PropertyDiff().setKind((replace ? REPLACING_KINDS : KINDS)[kind]).setInputdiff(isOfInputs);
}
