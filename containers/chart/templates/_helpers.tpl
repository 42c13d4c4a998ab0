{{- /* Copyright The Trefoil Authors
     SPDX-License-Identifier: Apache-2.0 */ -}}

{{/* Begins all names. */}}
{{- define "trefoil.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "trefoil.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{/* What pods are chosen by; of (dict "root" $ "component" "namenode"). */}}
{{- define "trefoil.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "trefoil.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{/* The full name of the pod with that ordinal; of (dict "root" $ "ordinal" 0). */}}
{{- define "trefoil.host" -}}
{{- $name := include "trefoil.name" .root -}}
{{ $name }}-namenode-{{ .ordinal }}.{{ $name }}-namenode.{{ .root.Release.Namespace }}.svc.{{ .root.Values.clusterDomain }}
{{- end -}}

{{/* Name and value on one line: the entry point reads these files, too. Of (list name value). */}}
{{- define "trefoil.property" -}}
<property><name>{{ index . 0 | toString | html }}</name><value>{{ index . 1 | toString | html }}</value></property>
{{- end -}}

{{- define "trefoil.affinity" -}}
{{- $term := dict "topologyKey" "kubernetes.io/hostname" "labelSelector" (dict "matchLabels" (include "trefoil.selector" . | fromYaml)) -}}
podAntiAffinity:
{{- if eq .kind "required" }}
  requiredDuringSchedulingIgnoredDuringExecution:
    - {{ toJson $term }}
{{- else }}
  preferredDuringSchedulingIgnoredDuringExecution:
    - {{ toJson (dict "weight" 100 "podAffinityTerm" $term) }}
{{- end }}
{{- end -}}

{{- define "trefoil.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1100
runAsGroup: 1100
fsGroup: 1100
fsGroupChangePolicy: OnRootMismatch
seccompProfile: {type: RuntimeDefault}
{{- end -}}

{{- define "trefoil.containerSecurity" -}}
allowPrivilegeEscalation: false
capabilities: {drop: [ALL]}
{{- end -}}

{{- define "trefoil.pullSecrets" -}}
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toJson . }}
{{- end }}
{{- end -}}

{{/* A claim of a volume; of (dict "name" … "volume" …). */}}
{{- define "trefoil.claim" -}}
- metadata: {name: {{ .name }}}
  spec:
    accessModes: [ReadWriteOnce]
    {{- with .volume.storageClass }}
    storageClassName: {{ . }}
    {{- end }}
    resources: {requests: {storage: {{ .volume.size }}}}
{{- end -}}
