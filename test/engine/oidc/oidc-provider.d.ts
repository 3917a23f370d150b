/** The part of oidc-provider that tests use; it has no types of its own. */
declare module "oidc-provider" {
    export default class Provider {
        constructor(issuer: string, configuration: object);
        callback(): (request: unknown, response: unknown) => void;
    }
}
