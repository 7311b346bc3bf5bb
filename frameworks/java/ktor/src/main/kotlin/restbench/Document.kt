package restbench

import com.fasterxml.jackson.annotation.JsonSetter
import com.fasterxml.jackson.annotation.Nulls.SET
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy
import com.fasterxml.jackson.databind.annotation.JsonNaming
import io.ktor.openapi.JsonSchema
import kotlinx.serialization.SerialName
import kotlinx.serialization.Serializable

/**
 * A document of the registry. All fields but the first two may be missing. Jackson reads and writes
 * it; Ktor takes its schema from what kotlinx.serialization knows.
 */
@Serializable
@JsonNaming(SnakeCaseStrategy::class)
data class Document(
    @JsonSchema.Example("\"registry-001\"") val id: String,
    @SerialName("document_type") @JsonSchema.Example("1") val documentType: Int,
    @SerialName("string_array") @JsonSetter(nulls = SET) val stringArray: List<String>? = null,
    @SerialName("int_array") @JsonSetter(nulls = SET) val intArray: List<Int>? = null,
    @SerialName("child_objects") @JsonSetter(nulls = SET) val childObjects: List<Child>? = null,
) {
    /** A part of a document. */
    @Serializable
    data class Child(
        @JsonSchema.Example("\"registry-001-0\"") val id: String,
        @JsonSchema.Example("\"Birch Mill\"") @JsonSetter(nulls = SET) val name: String? = null,
        @JsonSchema.Example("100") @JsonSetter(nulls = SET) val number: Int? = null,
    )

    /** With the small numbers of its children hidden. */
    fun anonymized() = copy(childObjects = childObjects?.map { it.anonymized() })

    private fun Child.anonymized() = if (number != null && number < 100) copy(number = 0) else this
}
