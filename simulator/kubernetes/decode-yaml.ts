import { parseAllDocuments } from "yaml";
import { isObject, type Properties } from "../plugin";
import { hasNamespace, kindOf } from "./kind";
import { type KubernetesObject, listAt, withMetadata } from "./object";

/** The objects of a YAML text, those inside lists too; the SDK's `yaml.ConfigFile` asks for it. */
export function decodeYaml({ text, defaultNamespace }: Properties): Properties[] {
    const documents = parseAllDocuments(String(text ?? "")).map((document) => {
        if (document.errors.length) throw new Error(`text must be YAML: ${document.errors[0].message}`);
        return document.toJS();
    });
    const objects = documents.filter(isObject).flatMap((object) => {
        return String(object.kind).endsWith("List") && object.items ? listAt(object, "items") : [object];
    });
    return objects.map((object) => placed(object, defaultNamespace));
}

function placed(object: KubernetesObject, namespace: unknown): KubernetesObject {
    const isPlaced = !namespace || object.metadata?.namespace || hasNamespace(kindOf(object)) === false;
    return isPlaced ? object : withMetadata(object, { namespace: String(namespace) });
}
