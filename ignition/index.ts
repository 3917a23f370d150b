export { type Bundle, type BundleEntry, bundle } from "./bundle";
export { withoutByteOrderMarks } from "./byte-order-mark";
export { toCloudInit } from "./cloud-init";
export { withoutComments } from "./comments";
export { compressed } from "./compress";
export { type Config, config, dropin, group, type Parts, specVersion, type UnitOptions, unit, user } from "./config";
export { diffable } from "./diffable";
export { merge } from "./merge";
export { parse } from "./parse";
export { render, size } from "./render";
export { replaceTexts } from "./replace-texts";
export { toScript } from "./script";
export {
    directory,
    type FileOptions,
    file,
    type LinkOptions,
    link,
    type NodeOptions,
    type Owner,
    type RemoteOptions,
    remoteFile,
} from "./storage";
export { assertValid, validate } from "./validate";
