import { AssertionError } from "node:assert";
import { Metadata, type ServiceError, status } from "@grpc/grpc-js";
import * as rpc from "@pulumi/pulumi/proto/provider_pb";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { printable } from "../../../clients/printable";
import { type Change, type Diff, topLevel } from "./diff";
import type { Failure } from "./provider";
import { encode } from "./struct";
import type { Properties } from "./values";

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
    const replacing = Object.entries(changes).flatMap(([path, { replace }]) => (replace ? topLevel(path) : []));
    const response = new rpc.DiffResponse()
        .setChanges(paths.length ? DIFF_SOME : DIFF_NONE)
        .setDiffsList([...new Set(paths.map(topLevel))])
        .setReplacesList([...new Set(replacing)])
        .setDeletebeforereplace(deleteBeforeReplace)
        .setHasdetaileddiff(true);
    for (const [path, change] of Object.entries(changes)) {
        response.getDetaileddiffMap().set(path, propertyDiff(change, !isOfOutputs));
    }
    return response;
}

function propertyDiff({ kind, replace }: Change, isOfInputs: boolean): rpc.PropertyDiff {
    return new rpc.PropertyDiff().setKind((replace ? REPLACING_KINDS : KINDS)[kind]).setInputdiff(isOfInputs);
}

/** The resource exists but does not match its inputs: the engine records it together with the reasons. */
export class InitializationError extends Error {
    constructor(
        message: string,
        readonly id: string,
        readonly state: Properties,
        readonly reasons: readonly string[] = [message],
    ) {
        super(message);
    }
}

/** What the engine prints: only the message for the user's errors, with the stack for bugs of the provider. */
export function toServiceError(error: unknown): ServiceError {
    const message = printable(describe(error));
    return Object.assign(new Error(message), {
        code: status.UNKNOWN,
        details: message,
        metadata: error instanceof InitializationError ? details(error) : new Metadata(),
    });
}

function describe(error: unknown): string {
    if (!(error instanceof Error)) return String(error);
    const isFault = [TypeError, ReferenceError, RangeError, AssertionError].some((kind) => error instanceof kind);
    return isFault ? (error.stack ?? error.message) : error.message;
}

function details({ id, state, reasons, message }: InitializationError): Metadata {
    const failed = new ErrorResourceInitFailed()
        .setId(id)
        .setProperties(encode(state))
        .setReasonsList(reasons.map(printable));
    const any = new Any();
    any.pack(failed.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
    const response = new Status().setCode(status.UNKNOWN).setMessage(printable(message));
    response.addDetails(any);
    const metadata = new Metadata();
    metadata.set("grpc-status-details-bin", Buffer.from(response.serializeBinary()));
    return metadata;
}
