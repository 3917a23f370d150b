import * as rpc from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { compare } from "./diff";
import { InitializationError } from "./errors";
import type { CheckRequest, CheckResponse, DiffRequest } from "./preview-calls";
import { diffResponse } from "./responses";
import { answer, operationOf, type Session } from "./session";
import type { Properties } from "./values";
import { carrySecrets, decode, encode, reveal } from "./wire";

/** The calls that concern one resource each. */
export function resourceService(session: Session) {
    const resourceOf = (type: string) => session.provider.resource(type);
    return {
        check: answer(session, async ({ urn, olds, news }: CheckRequest): Promise<CheckResponse> => {
            const operation = operationOf(session, urn, news);
            const inputs = reveal(news);
            const result = await resourceOf(operation.type).check?.({ ...operation, inputs, oldInputs: reveal(olds) });
            return { ...result, inputs: carrySecrets(result?.inputs ?? inputs, news) };
        }),
        diff: answer(session, async ({ id, urn, olds, news, oldInputs: recorded }: DiffRequest) => {
            const operation = operationOf(session, urn, news);
            const resource = resourceOf(operation.type);
            const [inputs, oldInputs, state] = [reveal(news), reveal(recorded), reveal(olds)];
            const diff = await resource.diff?.({ ...operation, id, inputs, oldInputs, state });
            return diffResponse(diff ?? compare(oldInputs, inputs, () => !resource.update));
        }),
        create: answer(session, async (request: rpc.CreateRequest) => {
            const raw = decode(request.getProperties());
            const operation = operationOf(session, request.getUrn(), raw);
            const [preview, timeout] = [request.getPreview(), request.getTimeout()];
            const { id, state } = await keepingSecretsOf(raw, () =>
                resourceOf(operation.type).create({ ...operation, inputs: reveal(raw), preview, timeout }),
            );
            return new rpc.CreateResponse().setId(preview ? "" : id).setProperties(encode(carrySecrets(state, raw)));
        }),
        read: answer(session, async (request: rpc.ReadRequest) => {
            const raw = { state: decode(request.getProperties()), inputs: decode(request.getInputs()) };
            const secrets = { ...raw.state, ...raw.inputs };
            const operation = operationOf(session, request.getUrn(), secrets);
            const recorded = { id: request.getId(), ...reveal(raw) };
            const resource = resourceOf(operation.type);
            const found = await keepingSecretsOf(secrets, async () =>
                resource.read ? resource.read({ ...operation, ...recorded, timeout: request.getTimeout() }) : recorded,
            );
            if (!found) return new rpc.ReadResponse();
            return new rpc.ReadResponse()
                .setId(found.id)
                .setProperties(encode(carrySecrets(found.state, secrets)))
                .setInputs(encode(carrySecrets(found.inputs, secrets)));
        }),
        update: answer(session, async (request: rpc.UpdateRequest) => {
            const raw = decode(request.getNews());
            const operation = operationOf(session, request.getUrn(), raw);
            const resource = resourceOf(operation.type);
            if (!resource.update) throw new Error(`${operation.type} cannot be updated in place`);
            const sides = {
                inputs: reveal(raw),
                oldInputs: reveal(decode(request.getOldInputs())),
                state: reveal(decode(request.getOlds())),
            };
            const details = { id: request.getId(), preview: request.getPreview(), timeout: request.getTimeout() };
            const state = await keepingSecretsOf(raw, () => resource.update!({ ...operation, ...details, ...sides }));
            return new rpc.UpdateResponse().setProperties(encode(carrySecrets(state, raw)));
        }),
        delete: answer(session, async (request: rpc.DeleteRequest) => {
            const raw = { state: decode(request.getProperties()), inputs: decode(request.getOldInputs()) };
            const operation = operationOf(session, request.getUrn(), { ...raw.state, ...raw.inputs });
            const details = { id: request.getId(), timeout: request.getTimeout() };
            await resourceOf(operation.type).delete?.({ ...operation, ...details, ...reveal(raw) });
            return new Empty();
        }),
    };
}

// A state that comes with an error is recorded too, and must be no less secret.
async function keepingSecretsOf<T>(secrets: Properties, work: () => Promise<T>): Promise<T> {
    try {
        return await work();
    } catch (error) {
        if (!(error instanceof InitializationError)) throw error;
        throw new InitializationError(error.message, error.id, carrySecrets(error.state, secrets), error.reasons);
    }
}
